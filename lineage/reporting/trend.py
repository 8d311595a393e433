"""The quality of an earlier report, and what became of it."""

import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.errors import UsageError
from lineage.model import GRADES, HALF_LIFE, WEIGHTS
from lineage.sources import reason

if TYPE_CHECKING:
    from lineage.analyses.quality import Quality, Scale


def scale(weights: Mapping[str, float] | None, half_life: float = HALF_LIFE) -> "Scale":
    """A scale by its weights; `UsageError` names what is no part of a score, and a number below 0."""
    from lineage.analyses.quality import Scale

    for name, weight in (weights or {}).items():
        if name not in WEIGHTS:
            raise UsageError(f"weights: {name!r} is none of {', '.join(WEIGHTS)}")
        if not (weight >= 0 and math.isfinite(weight)):
            raise UsageError(f"weights: {name} is {weight}, not a number of 0 or more")
    if not (half_life > 0 and math.isfinite(half_life)):
        raise UsageError(f"half-life: {half_life} is not a number of days above 0")
    return Scale({**WEIGHTS, **(weights or {})}, half_life)


def earlier(path: "str | os.PathLike[str]") -> Mapping[str, Any]:
    """The quality of an earlier JSON report, and when it was made; `UsageError` where it holds none."""
    name = os.fspath(path)
    try:
        document = json.loads(Path(name).read_bytes())
    except OSError as error:
        raise UsageError(f"{name}: {reason(error)}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{name}: not a JSON report") from None
    quality = document.get("quality") if isinstance(document, dict) else None
    if not isinstance(quality, dict) or not str(document.get("schema", "")).startswith("lineage-report/"):
        raise UsageError(f"{name}: not a JSON report of lineage (`lineage report -f json`)")
    aspects = quality.get("aspects")
    scores = {
        str(aspect): one["score"]
        for aspect, one in (aspects.items() if isinstance(aspects, dict) else ())
        if isinstance(one, dict) and _is_score(one.get("score"))
    }
    grade, score = quality.get("grade"), quality.get("score")
    return {
        "generated_at": str(document.get("generated_at", "")),
        "grade": grade if grade in {letter for letter, _ in GRADES} else None,
        "score": score if _is_score(score) else None,
        "aspects": scores,
    }


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100


def told(found: "Quality", against: Mapping[str, Any] | None) -> str:
    """The grade and score in a few words, and how they changed."""
    if found.score is None:
        return "no grade: nothing speaks to it"
    change = ""
    if against is not None and against["score"] is not None:
        by = found.score - against["score"]
        since = f" since {against['generated_at'][:10]}" if against["generated_at"] else ""
        change = f", {by:+.1f}{since}" if round(by, 1) else f", as{since}"
    return f"grade {found.grade} ({found.score:.0f} of 100{change})"


def rows(found: "Quality", against: Mapping[str, Any] | None) -> Iterator[tuple[str, float, str, str]]:
    """Each aspect that has a score: its name, the score, how it changed, and the reasons."""
    before = against["aspects"] if against else {}
    for name, aspect in found.aspects.items():
        if aspect.score is not None:
            by = aspect.score - before[name] if name in before else None
            change = "" if by is None else f"{by:+.1f}" if round(by, 1) else "="
            yield name, aspect.score, change, "; ".join(aspect.reasons)


def below(found: "Quality | None", least: str) -> bool:
    """Whether a corpus does not reach a grade; one without a grade does."""
    letters = [letter for letter, _ in GRADES]
    return found is not None and found.grade is not None and letters.index(found.grade) > letters.index(least)

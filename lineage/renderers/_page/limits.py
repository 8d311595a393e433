"""How much a page shows."""

from dataclasses import dataclass, fields, replace

from lineage.reporting.details import FINDINGS, HEADS

_EVERYTHING = 10**9
_LITTLE = 0.5


@dataclass(frozen=True)
class Limits:
    """How much of each list the page shows; `text` and `quote` are in characters."""

    heads: int = HEADS
    findings: int = FINDINGS
    rows: int = 300
    cycles: int = 100
    inputs: int = 100
    figures: int = 40
    unread: int = 20
    text: int = 700
    quote: int = 240
    ids: int = 8
    places: int = 4
    walk: int = 12
    kinds: int = 12

    def tighter(self, share: float) -> "Limits":
        """Half of the diagrams; then this share of each long list, and where that is little, of each text as well."""
        if self.figures == Limits.figures:
            return replace(self, figures=self.figures // 2)
        lists = ("heads", "findings", "rows", "cycles", "inputs", "figures")
        cut = {name: max(int(getattr(self, name) * share), 1) for name in lists}
        texts = {name: max(getattr(self, name) // 2, 80) for name in ("text", "quote")}
        return replace(self, **cut, **(texts if share < _LITTLE else {}))


def everything() -> Limits:
    """No limits but those of what a line can hold."""
    long = {field.name: _EVERYTHING for field in fields(Limits)}
    return Limits(**{**long, "quote": 1_000, "walk": 100, "places": 100})


def clipped(value: str, limit: int) -> str:
    """The text, its end replaced by how much of it is left out."""
    rest = len(value) - limit
    return value if rest <= 0 else f"{value[:limit].rstrip()}… ({rest:,} more characters)"

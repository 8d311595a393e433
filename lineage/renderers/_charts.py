"""Charts as SVG, of numbers and dates alone: what happened when, and how long it lasted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from lineage.analyses.activity import Activity
    from lineage.analyses.lifespans import Survival

_WIDTH, _HEIGHT = 720.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 8.0, 10.0, 22.0
_TICKS = 4
_LABELS = 7


@dataclass(frozen=True)
class Chart:
    """A chart: `svg` is whole and holds nothing but numbers; `said` is the same in a sentence."""

    title: str
    said: str
    svg: str


@dataclass(frozen=True)
class _Frame:
    """The room of a chart, from `least` to `most` upwards."""

    least: float
    most: float

    def y(self, value: float) -> float:
        share = (value - self.least) / ((self.most - self.least) or 1.0)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    @staticmethod
    def x(share: float) -> float:
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def events(activity: "Activity") -> Chart:
    """Bars: made above the line, superseded and reversed below it."""
    made, superseded, reversed_ = (
        values.tolist() for values in (activity.made, activity.superseded, activity.reversed)
    )
    ended = [one + other for one, other in zip(superseded, reversed_, strict=True)]
    frame = _frame(-max(ended, default=0), max(made, default=0))
    count = max(len(made), 1)
    broad = max((_WIDTH - _LEFT - _RIGHT) / count - 1, 0.6)
    bars = []
    for at, (new, old, undone) in enumerate(zip(made, superseded, reversed_, strict=True)):
        x = frame.x(at / count)
        bars += [_bar(frame, x, broad, 0, new, "live"), _bar(frame, x, broad, -old, 0, "superseded")]
        bars.append(_bar(frame, x, broad, -old - undone, -old, "reversed"))
    drawn = [*_grid(frame), *_days(activity.starts), *bars, _line(frame, 0)]
    said = f"By {activity.unit}: {sum(made):,} made, {sum(superseded):,} superseded and {sum(reversed_):,} reversed."
    return _chart("Made above the line, superseded (grey) and reversed (purple) below it", said, drawn)


def in_effect(activity: "Activity") -> Chart:
    """A stepped area: how many were in effect at the end of each period."""
    values = activity.in_effect.tolist()
    frame = _frame(0, max(values, default=0))
    count = max(len(values), 1)
    points = [(frame.x(0), frame.y(0))]
    for at, value in enumerate(values):
        points += [(frame.x(at / count), frame.y(value)), (frame.x((at + 1) / count), frame.y(value))]
    points.append((points[-1][0], frame.y(0)))
    drawn = [*_grid(frame), *_days(activity.starts), f'<path class="area" d="{_path(points)}Z"/>']
    most = max(values, default=0)
    now = values[-1] if values else 0
    return _chart(
        "In effect", f"At most {most:,} were in effect at the end of a {activity.unit}, {now:,} at the last.", drawn
    )


def lasting(survival: "Survival") -> Chart:
    """A stepped line: the share that is still in effect after so many days."""
    frame = _frame(0, 100)
    longest = max(float(survival.days[-1]), 1.0) if len(survival.days) else 1.0
    steps = zip((survival.days / longest).tolist(), (survival.share * 100).tolist(), strict=True)
    points: list[tuple[float, float]] = []
    for share, value in steps:
        before = points[-1][1] if points else frame.y(100)
        points += [(frame.x(share), before), (frame.x(share), frame.y(value))]
    points.append((frame.x(1.0), points[-1][1]))
    labels = [(share, f"{longest * share:.0f} d") for share in (0, 0.25, 0.5, 0.75, 1.0)]
    drawn = [*_grid(frame, "%"), *_marks(labels), f'<path class="line" d="{_path(points)}"/>']
    return _chart("Still in effect after", _lasted(survival), drawn)


def _lasted(survival: "Survival") -> str:
    known = f"{survival.ended:,} had ended when this was made, {survival.lasting:,} still hold and count up to now."
    if survival.median is None:
        return f"More than half of all last longer than anything that has ended so far; {known}"
    return f"Half of all last longer than {survival.median:,.0f} days; {known}"


def _frame(least: float, most: float) -> _Frame:
    return _Frame(least, most if most > least else least + 1)


def _chart(title: str, said: str, drawn: Iterable[str]) -> Chart:
    view = f'viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}"'
    return Chart(
        title, said, f'<svg class="chart" {view} role="img" aria-label="{title}: {said}">{"".join(drawn)}</svg>'
    )


def _bar(frame: _Frame, x: float, broad: float, low: float, high: float, kind: str) -> str:
    if high == low:
        return ""
    top, bottom = frame.y(high), frame.y(low)
    return f'<rect class="{kind}" x="{x:.1f}" y="{top:.1f}" width="{broad:.1f}" height="{bottom - top:.1f}"/>'


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _line(frame: _Frame, value: float) -> str:
    y = frame.y(value)
    return f'<path class="axis" d="M{_LEFT:.0f} {y:.1f}H{_WIDTH - _RIGHT:.0f}"/>'


def _grid(frame: _Frame, unit: str = "") -> Iterator[str]:
    span = frame.most - frame.least
    step = max(10.0 ** floor(log10(span / _TICKS)), 1.0)
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= _TICKS + 0.5)
    for number in range(ceil(frame.least / step), floor(frame.most / step) + 1):
        value = number * step
        y = frame.y(value)
        yield f'<path class="grid" d="M{_LEFT:.0f} {y:.1f}H{_WIDTH - _RIGHT:.0f}"/>'
        yield f'<text class="end" x="{_LEFT - 6:.0f}" y="{y + 4:.1f}">{abs(value):,.0f}{unit}</text>'


def _days(starts: "np.ndarray[tuple[int], np.dtype[np.datetime64]]") -> Iterator[str]:
    count = len(starts)
    chosen = range(0, count, max(-(-count // _LABELS), 1))
    yield from _marks([(at / max(count, 1), str(starts[at])) for at in chosen])


def _marks(labels: Iterable[tuple[float, str]]) -> Iterator[str]:
    for share, label in labels:
        kind = ' class="end"' if share > 0.97 else ""
        yield f'<text{kind} x="{_Frame.x(share):.1f}" y="{_HEIGHT - 6:.0f}">{label}</text>'

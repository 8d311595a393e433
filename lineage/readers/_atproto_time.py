"""Datetimes as the AT Protocol writes them."""

import re
from datetime import UTC, datetime, timedelta

from lineage.readers.fields import has_offset, has_time, microseconds, shown

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_FIRST = -62_135_596_800 * _SECOND
_LAST = 253_402_300_800 * _SECOND - 1
_MOST_DIGITS = 20
_WELL_FORMED = re.compile(
    r"\d{4}-\d\d-\d\dT(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d+))?"
    r"(?P<offset>Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def instant(text: str) -> tuple[int | None, str | None]:
    """Microseconds since 1970 in UTC, and what is wrong with the text, each None where there is none.

    A well-formed time before year 1 or after 9999 is no mistake, yet no column can hold it.
    """
    found = _WELL_FORMED.fullmatch(text)
    if found is None:
        return _loose(text)
    offset = found["offset"]
    # Python counts from year 1; year 2000 has the same days as year 0.
    year_zero = text.startswith("0000")
    moment = _moment("2000" + text[4:] if year_zero else text, found)
    if moment is None:
        return None, f"{shown(text)} is no date and time that exists"
    if year_zero or not _FIRST <= moment <= _LAST:
        moment = None
    if len(found["fraction"] or "") > _MOST_DIGITS:
        return moment, f"{shown(text)} has more than {_MOST_DIGITS} digits behind the second"
    if offset is None:
        return moment, f"{shown(text)} has no offset and is taken as UTC"
    if offset in {"-00:00", "-0000"}:
        return moment, f"{shown(text)} has the offset -00:00, which means that it is unknown"
    return moment, None


def iso(moment: int | None) -> str | None:
    """The time in UTC with milliseconds, or with microseconds where it has any."""
    if moment is None:
        return None
    try:
        time = _EPOCH + timedelta(microseconds=moment)
    except OverflowError:
        return None
    precision = "microseconds" if moment % 1000 else "milliseconds"
    return time.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


def _moment(text: str, found: re.Match[str]) -> int | None:
    later = 0
    if found["second"] == "60":
        text, later = text[:17] + "59" + text[19:], _SECOND
    elif (
        found["hour"] == "24"
        and found["minute"] == found["second"] == "00"
        and not (found["fraction"] or "").strip("0")
    ):
        text, later = text[:11] + "00" + text[13:], _DAY
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return (time - _EPOCH) // _MICROSECOND + later


def _loose(text: str) -> tuple[int | None, str]:
    moment = microseconds(text)
    if moment is None or not _FIRST <= moment <= _LAST:
        return None, f"{shown(text)} is no date and time"
    if not has_time(text):
        return moment, f"{shown(text)} has no time and is taken as its midnight in UTC"
    ending = "" if has_offset(text) else " and is taken as UTC"
    return moment, f"{shown(text)} is not written like 2026-01-31T10:00:00Z{ending}"

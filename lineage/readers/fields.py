"""What the readers share: typed access to a record's fields, times, and leftovers."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from lineage.readers.base import Problem

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = _EPOCH.replace(tzinfo=None)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?P<time>[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,12})?)?(?P<offset>[Zz]|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
MISSING = object()


def microseconds(text: str) -> int | None:
    """Microseconds since 1970 in UTC of an ISO 8601 time; None where it is none.

    A time without an offset is taken as UTC and a bare date as its midnight.
    One that is outside the years 1 to 9999 in UTC cannot be held.
    Digits past the microsecond are cut.
    """
    if not _ISO.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        found = (moment - _EPOCH) // _MICROSECOND
        return found if _FIRST <= found <= _LAST else None
    except (ValueError, OverflowError):
        return None


def has_offset(text: str) -> bool:
    """Whether an ISO 8601 time that `microseconds` accepts names its offset."""
    match = _ISO.fullmatch(text)
    return bool(match and match["offset"])


def has_time(text: str) -> bool:
    """Whether an ISO 8601 time that `microseconds` accepts is more than a date."""
    match = _ISO.fullmatch(text)
    return bool(match and match["time"])


def iso_milliseconds(moment: int | None) -> str | None:
    """The time as JavaScript's `toISOString` writes it; microseconds are cut."""
    if moment is None:
        return None
    return (_NAIVE_EPOCH + timedelta(microseconds=moment)).isoformat(timespec="milliseconds") + "Z"


def iso(moment: int | None) -> str | None:
    """The time as ISO 8601 in UTC, with as many digits as it needs."""
    if moment is None:
        return None
    return (_NAIVE_EPOCH + timedelta(microseconds=moment)).isoformat() + "Z"


def json_type(value: object) -> str:
    """What JSON calls the type of a value, with an article, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an object" if isinstance(value, Mapping) else "a list"


def same_json(one: object, two: object) -> bool:
    """Whether two JSON values would be written alike (1, 1.0 and true are three)."""
    if type(one) is not type(two):
        return False
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same_json(one[key], two[key]) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same_json, one, two))
    return one == two


def leftover(record: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `record` holds that `written`, made from its row alone, does not give back.

    `merged(written, leftover(record, written))` holds every property of
    `record`. Objects are compared key by key, anything else as a whole.
    """
    rest: dict[str, Any] = {}
    for key, value in record.items():
        other = written.get(key, MISSING)
        if isinstance(value, dict) and isinstance(other, dict):
            inner = leftover(value, other)
            if inner:
                rest[key] = inner
        elif other is MISSING or not same_json(value, other):
            rest[key] = value
    return rest or None


def merged(written: dict[str, Any], extra: Mapping[str, Any] | None) -> dict[str, Any]:
    """`written` with the properties of `extra` laid over it, objects key by key."""
    for key, value in (extra or {}).items():
        inner = written.get(key)
        if isinstance(value, dict) and isinstance(inner, dict):
            merged(inner, value)
        else:
            written[key] = value
    return written


class Fields:
    """Typed access to one object of a record; what is wrong is noted, not raised.

    Every getter returns None (or an empty list) for a value of the wrong type
    and notes a LIN905 that names the field by its `path`.
    """

    def __init__(self, record: Mapping[str, Any], *, id: str, required: bool = False, path: str = "") -> None:
        self._record = record
        self._id = id
        self._path = path
        self._required = required
        self.problems: list[Problem] = []

    def note(self, key: str, cause: str) -> None:
        """Note that the field `key` breaks the format's contract, and how."""
        self.problems.append(Problem("LIN905", f"{self._path}{key}: {cause}", self._id))

    def __contains__(self, key: str) -> bool:
        return key in self._record

    def raw(self, key: str) -> Any:
        """The value as it stands, nothing noted; None where there is none."""
        return self._record.get(key)

    def value(self, key: str, *, never_null: str = "") -> Any:
        """The value as it stands; a missing required key is noted, and a null where `never_null` is expected."""
        found = self._record.get(key, MISSING)
        if found is MISSING:
            if self._required:
                self.note(key, "the key is missing")
            return None
        if found is None and never_null:
            self.note(key, f"expected {never_null}, found null")
        return found

    def string(self, key: str, *, null: bool = True) -> str | None:
        """A string, or null."""
        found = self.value(key, never_null="" if null else "a string")
        if found is None or isinstance(found, str):
            return found
        self.note(key, f"expected a string, found {json_type(found)}")
        return None

    def number(self, key: str, *, low: float | None = None, high: float | None = None) -> float | None:
        """A number, or null; noted when outside `low` to `high`."""
        found = self.value(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.note(key, f"expected a number, found {json_type(found)}")
            return None
        if (low is not None and found < low) or (high is not None and found > high):
            self.note(key, f"{found} is outside {low} to {high}")
        try:
            return float(found)
        except OverflowError:
            self.note(key, "too large for a number")
            return None

    def integer(self, key: str, *, low: int | None = None, null: bool = True) -> int | None:
        """A whole number that fits 64 bits, or null; noted when below `low`."""
        found = self.value(key, never_null="" if null else "a number")
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.note(key, f"expected a whole number, found {json_type(found)}")
            return None
        if isinstance(found, float) and not found.is_integer():
            self.note(key, f"expected a whole number, found {found}")
            return None
        whole = int(found)
        if not -(2**63) <= whole < 2**63:
            self.note(key, "too large for a whole number of 64 bits")
            return None
        if low is not None and whole < low:
            self.note(key, f"{whole} is below {low}")
        return whole

    def time(self, key: str, *, null: bool = True) -> int | None:
        """An ISO 8601 time as microseconds since 1970 in UTC, or null."""
        found = self.string(key, null=null)
        if found is None:
            return None
        moment = microseconds(found)
        if moment is None:
            self.note(key, f"{shown(found)} is no date and time this tool can hold")
        return moment

    def strings(self, key: str, *, null: bool = True) -> list[str]:
        """A list of strings; items of another type are noted and left out."""
        found = self.value(key, never_null="" if null else "a list")
        if found is None:
            return []
        if not isinstance(found, list):
            self.note(key, f"expected a list, found {json_type(found)}")
            return []
        for position, item in enumerate(found):
            if not isinstance(item, str):
                self.note(f"{key}[{position}]", f"expected a string, found {json_type(item)}")
        return [item for item in found if isinstance(item, str)]

    def mapping(self, key: str) -> Mapping[str, Any]:
        """The object at `key` as it stands; empty where it is null or none."""
        found = self.value(key)
        if found is not None and not isinstance(found, Mapping):
            self.note(key, f"expected an object, found {json_type(found)}")
        return found if isinstance(found, Mapping) else {}

    def inner(self, key: str, *, null: bool = True) -> "Fields":
        """The object at `key`, its problems noted here; empty where it is none."""
        found = self.value(key, never_null="" if null else "an object")
        if found is not None and not isinstance(found, Mapping):
            self.note(key, f"expected an object, found {json_type(found)}")
        return self._nested(key, found)

    def at(self, key: str, position: int, item: Mapping[str, Any]) -> "Fields":
        """The object at `key[position]`, its problems noted here."""
        return self._nested(f"{key}[{position}]", item)

    def _nested(self, path: str, found: object) -> "Fields":
        fields = Fields(
            found if isinstance(found, Mapping) else {},
            id=self._id,
            required=self._required and isinstance(found, Mapping),
            path=f"{self._path}{path}.",
        )
        fields.problems = self.problems
        return fields


def not_of(what: str, record: Mapping[str, Any], line: int | None = None) -> Problem:
    """What is wrong with a record that is not of the format it is taken for."""
    keys = ", ".join(shown(str(key), 30) for key in list(record)[:6]) or "none"
    return Problem("LIN901", f"expected {what}; its keys are {keys}", line=line)


def shown(value: str, limit: int = 60) -> str:
    """A foreign string quoted for a message, cut at `limit` characters."""
    return repr(value if len(value) <= limit else value[:limit] + "…")


def keyed_tags(tags: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The first value of each tag key."""
    found: dict[str, str] = {}
    for key, value in tags:
        found.setdefault(key, value)
    return found

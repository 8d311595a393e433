"""Foreign records to memories, by a mapping."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lineage.model import MASKING, Declared, DeclaredBy, Role, Void
from lineage.readers._mapping_plan import LINKS, TYPES, Getter, Plan, Unfit, expected, getter, plain_path, without
from lineage.readers.base import Item, Link, Memory, Problem, Record
from lineage.readers.fields import json_type, microseconds, shown

_BLANK = frozenset({"", "-", "n/a", "none", "null"})
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
_OPTION, _REASON = ("option", "name", "title", "alternative"), ("reason", "why", "rationale")


class Mapped:
    """Reads records by a plan; `getters` find what the plan names, in JSON unless others are given."""

    def __init__(self, plan: Plan, getters: Mapping[str, Getter] | None = None) -> None:
        self.plan = plan
        self._getters = getters or {key: getter(path) for key, path in plan.paths.items()}
        self._paths = {key: plain_path(path) if getters is None else (path,) for key, path in plan.paths.items()}

    def items(self, record: Record, line: int | None = None) -> list[Item]:
        """A record as a memory, its problems after it."""
        return _One(self, record, line).items()

    def find(self, key: str, record: Record) -> Any:
        """What fills a column, or says a link; raises `Unfit`."""
        found = self._getters.get(key)
        return found(record) if found else None

    def path(self, key: str) -> tuple[str, ...] | None:
        """Where a record holds what fills a column, if that is one place."""
        return self._paths[key]

    def unaccepted(self, record: Record) -> bool:
        """Whether the record says that it is not accepted, so that its claims do not count."""
        try:
            said = self.find("declared", record)
        except Unfit:
            return False
        return isinstance(said, str) and said.strip().casefold() in self.plan.unaccepted


class _One:
    """One record: its columns, what they reproduce of it, and what is wrong with it."""

    def __init__(self, mapped: Mapped, record: Record, line: int | None) -> None:
        self._mapped = mapped
        self._record = record
        self._line = line
        self._id = ""
        self._problems: list[Item] = []
        self._extra: Mapping[str, Any] = record

    def items(self) -> list[Item]:
        plan = self._mapped.plan
        found = self._find("id")
        if isinstance(found, int) and not isinstance(found, bool):
            found, kept = str(found), True
        else:
            kept = False
        if not isinstance(found, str) or not found:
            cause = f"id: {plan.paths['id']} is {json_type(found)}" if found != "" else "id: it is empty"
            return [Problem("LIN901", f"{cause}, where a string or a whole number is expected", line=self._line)]
        self._id = found
        if not kept:
            self._reproduced("id")
        memory = Memory(id=found, format=plan.name, line=self._line)
        for key in plan.paths:
            if key in TYPES and key not in {"id", "declared", "role"}:
                setattr(memory, key, self._column(key))
        memory.declared, memory.role = self._declared(), self._role()
        memory.tags = [*(memory.tags or ()), *self._own_tags()]
        memory.links = self._links()
        memory.extra = dict(self._extra) or None
        return [memory, *self._problems]

    def _find(self, key: str) -> Any:
        try:
            return self._mapped.find(key, self._record)
        except Unfit as error:
            self._note(key, f"the expression does not fit: {error}")
            return None

    def _note(self, key: str, cause: str) -> None:
        self._problems.append(Problem("LIN905", f"{key}: {cause}", self._id, self._line))

    def _reproduced(self, key: str) -> None:
        """The column says it all: what it came from need not be kept."""
        path = self._mapped.path(key)
        if path is not None:
            self._extra = without(self._extra, path)

    def _column(self, key: str) -> Any:
        value = self._find(key)
        kind = TYPES[key]
        if value is None:
            self._reproduced(key)
            return () if kind in {"strings", "tags", "rejected"} else None
        if kind in {"int", "float"}:
            return self._number(key, value, whole=kind == "int")
        read: Mapping[str, Any] = {
            "time": self._time,
            "strings": self._strings,
            "tags": self._tags,
            "rejected": self._rejected,
        }
        found = read.get(kind, self._string)(key, value)
        return list(found) if isinstance(found, Iterator) else found

    def _string(self, key: str, value: Any) -> str | None:
        if isinstance(value, str):
            self._reproduced(key)
            return value
        if isinstance(value, int | float):
            return str(value).lower() if isinstance(value, bool) else str(value)
        self._note(key, expected("a string", value))
        return None

    def _time(self, key: str, value: Any) -> int | None:
        unit = self._mapped.plan.unit
        if isinstance(value, str) and not (unit and re.fullmatch(r"-?\d{1,20}", value, re.ASCII)):
            moment = microseconds(value)
            if moment is not None and value[-1:] == "Z":
                self._reproduced(key)
            if moment is None and value.strip().lower() not in _BLANK:
                self._note(key, f"{shown(value)} is no date and time this tool can hold")
            return moment
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self._note(key, expected("a date and time", value))
            return None
        if unit is None:
            self._note(key, "a number, and the mapping does not say in which unit (times=seconds)")
            return None
        moment = int(float(value) * unit) if isinstance(value, float) else int(value) * unit
        if not _FIRST <= moment <= _LAST:
            self._note(key, f"{shown(str(value))} is no date and time this tool can hold")
            return None
        return moment

    def _number(self, key: str, value: Any, *, whole: bool) -> float | None:
        number = value
        if isinstance(value, str):
            try:
                number = int(value) if re.fullmatch(r"[+-]?\d{1,20}", value.strip(), re.ASCII) else float(value)
            except ValueError:
                number = None
        wanted = "a whole number" if whole else "a number"
        if isinstance(number, bool) or not isinstance(number, int | float) or math.isnan(number):
            self._note(key, f"expected {wanted}, found {shown(value) if isinstance(value, str) else json_type(value)}")
            return None
        if (whole and (number != int(number) if abs(number) < 2**63 else True)) or abs(number) > 2**1000:
            self._note(key, f"{shown(str(number))} is not {wanted} this tool can hold")
            return None
        if number is value:
            self._reproduced(key)
        return int(number) if whole else float(number)

    def _strings(self, key: str, value: Any) -> list[str]:
        found = _several(value)
        wrong = next((item for item in found if not isinstance(item, str)), None)
        if wrong is not None:
            self._note(key, f"expected strings, one is {json_type(wrong)}")
        elif found == value:
            self._reproduced(key)
        return [item for item in found if isinstance(item, str)]

    def _tags(self, key: str, value: Any) -> Iterator[tuple[str, str]]:
        """Tags: words, pairs of `key` and `value`, or an object of them."""
        if isinstance(value, Mapping):
            yield from ((str(name), _text(item)) for name, item in value.items() if item is not None)
            return
        for item in _several(value):
            if isinstance(item, Mapping) and isinstance(item.get("key"), str):
                yield item["key"], _text(item.get("value", ""))
            elif isinstance(item, str | int | float):
                yield "tag", _text(item)
            else:
                self._note(key, f"expected words, one is {json_type(item)}")

    def _own_tags(self) -> Iterator[tuple[str, str]]:
        """The tags that are mapped one by one."""
        for key in self._mapped.plan.paths:
            if key.startswith("tags."):
                for value in _several(self._find(key)):
                    yield key[5:], _text(value)

    def _rejected(self, key: str, value: Any) -> Iterator[tuple[str | None, str | None]]:
        for item in _several(value):
            if isinstance(item, Mapping):
                option, reason = (
                    next((item[name] for name in names if isinstance(item.get(name), str)), None)
                    for names in (_OPTION, _REASON)
                )
                yield option, reason
            elif isinstance(item, str):
                yield item, None
            else:
                self._note(key, f"expected words, one is {json_type(item)}")

    def _declared(self) -> Declared | None:
        said = self._find("declared")
        if isinstance(said, bool):
            said = str(said).lower()
        if said is not None and not isinstance(said, str):
            self._note("declared", expected("a word", said))
            return None
        return self._mapped.plan.words.get(said.strip().casefold()) if said is not None else None

    def _role(self) -> Role:
        said = self._find("role")
        if said is None:
            return Role.MEMORY
        if said in (Role.MEMORY, Role.MARKER, Role.LOG):
            return Role(said)
        self._note("role", f"{shown(str(said))} is none of memory, marker, log")
        return Role.MEMORY

    def _links(self) -> list[Link]:
        links = []
        held_back = bool(self._mapped.plan.unaccepted) and self._mapped.unaccepted(self._record)
        for key in self._mapped.plan.paths:
            if key not in LINKS:
                continue
            kind, by = LINKS[key]
            value = self._find(key)
            others = list(self._others(key, value))
            via = self._mapped.plan.via(key)
            void = Void.UNACCEPTED_SOURCE if held_back and by is DeclaredBy.SUCCESSOR and kind in MASKING else None
            links += [Link(kind, other, via, by, void=void) for other in others]
            if value in (None, []) or others in (value, [value]):
                self._reproduced(key)
        return links

    def _others(self, key: str, value: Any) -> Iterator[str]:
        for item in map(_end, _several(value)):
            if isinstance(item, int) and not isinstance(item, bool):
                yield str(item)
            elif isinstance(item, str):
                if item.strip().lower() not in _BLANK:
                    yield item.strip()
            elif item is not None:
                self._note(key, f"expected an id, found {json_type(item)}")


def _end(item: Any) -> Any:
    """What names the other end of a link, which may be an object that holds it."""
    if isinstance(item, Mapping):
        return next((item[name] for name in ("id", "target") if isinstance(item.get(name), str | int)), None)
    return item


def _several(value: Any) -> list[Any]:
    """A value as a list: a text is split at its semicolons."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    return [part.strip() for part in value.split(";")] if isinstance(value, str) else [value]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    import msgspec

    return msgspec.json.encode(value).decode()

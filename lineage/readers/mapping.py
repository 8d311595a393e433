"""Any JSON, JSONL, YAML, CSV, TSV or Parquet, by a mapping of its properties to columns.

The mapping stands in the configuration or is given with the run; the presets,
mappings of known formats, are files in the folder `presets`.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lineage.errors import InputError
from lineage.readers import _mapping_tables as mapped_tables
from lineage.readers import _tables as tables
from lineage.readers._mapping_documents import read, together
from lineage.readers._mapping_plan import Plan, Unfit, getter, plan
from lineage.readers._mapping_records import Mapped
from lineage.readers._mapping_yaml import records
from lineage.readers.base import NEVER, Carrier, Document, Documents, Item, Problem, Reader, Record, Rows, Traits

NAME = "mapping"
_PRESETS = Path(__file__).with_name("presets")
_ABOUT = "JSON, JSONL, YAML, CSV, TSV, Parquet by a mapping (--map id=uid --map text=body)"
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".yaml", ".yml")
_HEAD = 1 << 16


def reader(mapping: Mapping[str, Any]) -> Reader:
    """The reader of a mapping: its keys are columns and kinds of links, its values expressions or names of columns.

    `UsageError` where the mapping says nothing of `id`, or has a key that means nothing.
    """
    made = plan(mapping, NAME)
    return Reader(
        name=NAME,
        about=_ABOUT,
        sniff=lambda record: any(True for _ in _known(made, record)),
        carrier=Carrier(
            name="table",
            claims=lambda head: tables.is_parquet(head) or tables.header(head, [made.paths["id"]]) is not None,
            read=lambda path: _read_table(path, made),
            holds=lambda path: _holds(path, made),
        ),
        documents=Documents(claims=lambda document: _claims(document, made), read=lambda all_: _read_yaml(all_, made)),
        local=True,
        suffixes=_SUFFIXES,
        **_reading(made),
    )


def _reading(made: Plan) -> dict[str, Any]:
    """How records are read: one by one, or together where what one says depends on another."""
    mapped = Mapped(made)
    if made.unaccepted:
        return {"together": lambda documents: together(mapped, documents)}
    return {"read": lambda record: read(mapped, record)}


def _known(made: Plan, record: Record) -> Iterator[Any]:
    """The ids that the mapping finds in a document."""
    try:
        found = getter(made.records)(record) if made.records else record
        for item in found if isinstance(found, list) else [found]:
            if isinstance(item, Mapping) and getter(made.paths["id"])(item) is not None:
                yield item
    except Unfit:
        return


def _holds(path: Path, made: Plan) -> bool:
    try:
        return made.paths["id"] in tables.names_of(path)
    except InputError:
        return _csv_header(path, made) is not None


def _csv_header(path: Path, made: Plan) -> tuple[str, list[str]] | None:
    with path.open("rb") as stream:
        return tables.header(stream.read(_HEAD), [made.paths["id"]])


def _read_table(path: Path, made: Plan) -> Iterator[Item | Rows]:
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    found = tables.header(head, [made.paths["id"]])
    if found is not None:
        yield from mapped_tables.read_csv(path, made, *found)
        return
    names = tables.names_of(path)
    if made.paths["id"] not in names:
        raise InputError(f"{path}: no column {made.paths['id']!r}; there are {', '.join(map(repr, names[:12]))}")
    yield from mapped_tables.read_parquet(path, made)


def _claims(document: Document, made: Plan) -> bool:
    """Whether this is YAML in which the mapping finds an id."""
    if not document.path.lower().endswith((".yaml", ".yml")):
        return False
    return any(isinstance(found, Mapping) and any(_known(made, found)) for _, found in records(document.text))


def _read_yaml(documents: Sequence[Document], made: Plan) -> Iterator[tuple[int, Item]]:
    found = [(number, *record) for number, document in enumerate(documents) for record in records(document.text)]
    usable = [(number, line, record) for number, line, record in found if isinstance(record, Mapping)]
    mapped = Mapped(made)
    for place, item in together(mapped, [record for _, _, record in usable]):
        number, line, _ = usable[place]
        yield number, _at(item, line)
    for number, line, record in found:
        if isinstance(record, Problem):
            yield number, record
        elif not isinstance(record, Mapping):
            yield number, Problem("LIN901", "expected an object, found a scalar or a list", line=line)


def _at(item: Any, line: int) -> Any:
    from msgspec.structs import replace

    return replace(item, line=line)


def _preset(file: Path) -> Reader:
    """The reader of a preset."""
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    made = plan(given["map"], given["name"])
    traits = Traits(
        rationale=given.get("rationale", False),
        two_sided=given.get("two_sided", False),
        retracts=given.get("retracts", True),
    )
    return Reader(
        name=given["name"],
        about=given["about"],
        signs=_signs(given["recognised"]),
        sniff=_sniff(given["recognised"]),
        traits=traits,
        local=given.get("local", False),
        suffixes=tuple(given.get("suffixes", (".json", ".jsonl", ".ndjson"))),
        **_reading(made),
    )


def _signs(recognised: Sequence[Mapping[str, Any]]) -> str:
    """By what a preset is told, in words."""
    each = [" and ".join(f"`{key}`" for key in sign["keys"]) for sign in recognised]
    return f"an object with {', or with '.join(each)}"


def _sniff(recognised: Sequence[Mapping[str, Any]]) -> Callable[[Record], bool]:
    """Whether a record has all the keys of one of these, and what is asked of it besides holds."""
    signs = [(tuple(sign["keys"]), getter(sign["when"]) if "when" in sign else None) for sign in recognised]

    def sniff(record: Record) -> bool:
        for keys, when in signs:
            if all(key in record for key in keys):
                try:
                    if when is None or when(record) is True:
                        return True
                except Unfit:
                    continue
        return False

    return sniff


READER = Reader(name=NAME, about=_ABOUT, sniff=NEVER, local=True, suffixes=_SUFFIXES)
READERS = tuple(_preset(file) for file in sorted(_PRESETS.glob("*.toml")))

"""Series of standards: RFC index (text and XML), PEP, XEP, and the front matter of EIP, KEP and CIP.

Ids are those that the series use of themselves: RFC2616, PEP-8, XEP-0085,
EIP-1559, KEP-1287, CIP-20. "Obsoletes" supersedes, "Updates" amends. The
maturity of an RFC says nothing of its being in effect, but that it is historic.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lineage.readers import _front_matter, _standards_rfc, _standards_xml
from lineage.readers._standards_entry import RELATIONS, Entry, memories, numbered
from lineage.readers.base import Document, Documents, Item, Problem, Reader, Traits

_PEP = re.compile(r"\s*PEP:[ \t]*\d{1,6}[ \t]*\n")
_HEADER = re.compile(r"^([A-Za-z][A-Za-z-]*):[ \t]*([^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.MULTILINE)
_SERIES = {"eip": "EIP", "kep-number": "KEP", "cip": "CIP"}
_KEP = re.compile(r"^kep-number:[ \t]*\S", re.MULTILINE)
_SAID = re.compile(r"superseded by\s*\W*(?:CIP|EIP|KEP)?[-\s]*0*(\d{1,6})", re.IGNORECASE)
_MAPPED = frozenset({"title", "status", "created", "creation-date", "author", "authors", "created-at"})


def claims(document: Document) -> bool:
    """Whether a document is the index of RFCs, or begins as a PEP, XEP, EIP, KEP or CIP does."""
    text = document.text
    if _PEP.match(text) or _standards_xml.root_of(text):
        return True
    if text.startswith("---"):
        return bool((_front_matter.glimpse(text) or {}).keys() & _SERIES.keys())
    return bool(_KEP.search(text, 0, 4_000)) or _standards_rfc.is_text_index(text)


def read(documents: Sequence[Document]) -> Iterator[tuple[int, Item]]:
    """The standards of one input."""
    places: list[int] = []
    entries: list[Entry] = []
    for number, document in enumerate(documents):
        try:
            found = list(_entries(document.text))
        except ValueError as error:
            yield number, Problem("LIN901", str(error))
            continue
        if not found:
            yield number, Problem("LIN901", "no standard in it has a number")
        entries += found
        places += [number] * len(found)
    yield from zip(places, memories(entries), strict=True)


def _entries(text: str) -> Iterator[Entry]:
    root = _standards_xml.root_of(text)
    if root:
        element = _standards_xml.parsed(text)
        if root == "rfc-index":
            yield from _standards_xml.rfc_entries(element)
        else:
            yield from filter(None, [_standards_xml.xep_entry(element)])
    elif _PEP.match(text):
        yield from _pep(text)
    elif text.startswith("---"):
        matter = _front_matter.split(text)
        if matter.problem:
            raise ValueError(matter.problem)
        yield from _fields(matter.fields)
    elif _KEP.search(text, 0, 4_000):
        fields = _front_matter.parsed(text)
        yield from _fields(fields if isinstance(fields, dict) else {})
    else:
        yield from _standards_rfc.text_entries(text)


def _pep(text: str) -> Iterator[Entry]:
    head = text.lstrip().partition("\n\n")[0]
    fields = {name.lower(): " ".join(value.split()) for name, value in _HEADER.findall(head)}
    number = int(fields["pep"])
    if not number:
        return
    entry = Entry(f"PEP-{number}", fields.get("title"), fields.get("status"), fields.get("created"))
    entry.people = fields.get("author")
    entry.relations = _relations("PEP", fields)
    entry.extra = {name: value for name, value in fields.items() if name not in _MAPPED and name not in RELATIONS}
    yield entry


def _fields(fields: Mapping[str, Any]) -> Iterator[Entry]:
    lowered = {str(key).lower().replace("_", "-"): value for key, value in fields.items()}
    key = next((key for key in _SERIES if key in lowered), None)
    number = re.search(r"\d{1,6}", str(lowered.get(key))) if key else None
    if not key or not number:
        return
    series = _SERIES[key]
    told = {name: value for name, value in lowered.items() if isinstance(value, str)}
    entry = Entry(f"{series}-{int(number[0])}", told.get("title"), told.get("status"))
    entry.created = told.get("created") or told.get("creation-date")
    people = lowered.get("author") or lowered.get("authors")
    entry.people = ", ".join(filter(None, map(str, people))) if isinstance(people, list) else people or None
    entry.relations = _relations(series, lowered)
    said = _SAID.search(told.get("status", ""))
    if said:
        entry.relations.setdefault("superseded-by", []).append(f"{series}-{int(said[1])}")
        entry.status = "Superseded"
    entry.extra = {name: value for name, value in lowered.items() if name not in _MAPPED and name not in RELATIONS}
    yield entry


def _relations(series: str, fields: Mapping[str, Any]) -> dict[str, list[str]]:
    found = {name: numbered(series, fields[name]) for name in RELATIONS if name in fields}
    return {name: others for name, others in found.items() if others}


READER = Reader(
    name="standards",
    signs="`PEP: n` first, the entries of the RFC index, XML of a XEP, or `eip`, `cip`, `kep-number` in front matter",
    about="Series of standards: RFC index (text, XML), PEP, XEP, EIP, KEP, CIP",
    documents=Documents(claims, read),
    traits=Traits(two_sided=True, retracts=False),
    suffixes=(".txt", ".xml", ".rst", ".md", ".yaml", ".yml"),
)

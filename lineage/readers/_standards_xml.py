"""Standards in XML: the RFC index, and single XEPs."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from lineage.readers._standards_entry import RELATIONS, Entry
from lineage.readers._standards_rfc import documents

_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")
_ROOT = re.compile(r"<(?:\w+:)?(rfc-index|xep)\b")


def root_of(text: str) -> str | None:
    """The name of the root element, if it is one that is read here."""
    if not text.lstrip().startswith("<"):
        return None
    found = _ROOT.search(text, 0, 20_000)
    return found[1] if found else None


def parsed(text: str) -> ElementTree.Element:
    """The document without its type and entities, which are never resolved; ValueError where it is not well-formed."""
    plain = _ENTITY.sub("&amp;", _DOCTYPE.sub("", text))
    if "<!" in plain and re.search(r"<!(?:DOCTYPE|ENTITY)", plain, re.IGNORECASE):
        raise ValueError("not XML: a document type within the document")
    # A declared encoding means nothing for text that was decoded.
    plain = re.sub(r"\A\s*<\?xml[^>]*\?>", "", plain)
    try:
        return ElementTree.fromstring(plain)  # noqa: S314 - no document type, so no entity is left to expand
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from None


def _name(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _children(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (child for child in element if _name(child) == name)


def _text(element: ElementTree.Element, *path: str) -> str | None:
    for name in path:
        found = next(_children(element, name), None)
        if found is None:
            return None
        element = found
    return " ".join("".join(element.itertext()).split()) or None


def rfc_entries(root: ElementTree.Element) -> Iterator[Entry]:
    """The entries of the index as XML."""
    for element in _children(root, "rfc-entry"):
        named = documents(_text(element, "doc-id") or "")
        if not named:
            continue
        entry = Entry(
            named[0], _text(element, "title"), _text(element, "current-status"), declares=False, accepted=True
        )
        entry.created = (
            " ".join(filter(None, (_text(element, "date", part) for part in ("day", "month", "year")))) or None
        )
        people = [_text(author, "name") for author in _children(element, "author")]
        entry.people = ", ".join(filter(None, people)) or None
        entry.summary = _text(element, "abstract")
        for child in element:
            if _name(child) in RELATIONS:
                entry.relations[_name(child)] = documents(" ".join(child.itertext()))
        entry.extra = {
            name: value for name in ("doi", "stream", "publication-status") if (value := _text(element, name))
        }
        yield entry


def xep_entry(root: ElementTree.Element) -> Entry | None:
    """A XEP. `Draft` is what is called Stable now, and was accepted; `Experimental` is what others call a draft."""
    header = next(_children(root, "header"), None)
    number = _text(header, "number") if header is not None else None
    if header is None or not number or not number.isdigit():
        return None
    entry = Entry(f"XEP-{int(number):04d}", _text(header, "title"), _text(header, "status"))
    entry.accepted = entry.word not in {"proposed", "rejected", "experimental", "protoxep"}
    dates = sorted(filter(None, (_text(revision, "date") for revision in _children(header, "revision"))))
    entry.created, entry.updated = (dates[0], dates[-1]) if dates else (None, None)
    names = [
        " ".join(filter(None, (_text(one, "firstname"), _text(one, "surname")))) for one in _children(header, "author")
    ]
    entry.people = ", ".join(filter(None, names)) or None
    entry.summary = _text(header, "abstract")
    for name in ("supersedes", "supersededby", "dependencies"):
        specs = [_text(spec) or "" for part in _children(header, name) for spec in _children(part, "spec")]
        found = [f"XEP-{int(spec[4:]):04d}" for spec in specs if re.fullmatch(r"XEP-\d{1,5}", spec)]
        if found:
            entry.relations[name] = found
    entry.extra = {name: value for name in ("type", "shortname", "sig") if (value := _text(header, name))}
    return entry

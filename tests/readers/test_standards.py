"""Standards of invented series members in the shapes that the real series have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lineage
from lineage.readers.base import Document
from lineage.readers.standards import READER

INDEX = """
                             RFC INDEX
                           -------------

CREATED ON: 10/22/2024.

This file contains citations for all RFCs in numeric order.

     #### Title of RFC.  Author 1, Author 2.  Issue date.  (Format: ASCII)
     (Obsoletes xxx) (Status: ssssss)

0001 Carrier Pigeon Framing. A. Bird. April 1969. (Format: TXT, HTML) (Status:
     UNKNOWN) (DOI: 10.17487/RFC0001)

0002 Not Issued.

0003 Carrier Pigeon Framing, Revised. A. Bird, B.C. Nest-Egg, E. Loft.
     July 1980. (Format: TXT) (Obsoletes RFC0001) (Updated by RFC0005)
     (Obsoleted by RFC0004, RFC0007) (Status: DRAFT STANDARD) (DOI:
     10.17487/RFC0003)

0004 Bird Transport: Part 1. Framing. E. Loft. 1 April 1990. (Format: TXT) (Obsoletes
     RFC0003) (Status: PROPOSED STANDARD) (DOI: 10.17487/RFC0004)

0005 Updating Pigeons. Internet Architecture Board. May 1985. (Format: TXT)
     (Updates RFC0003) (Also STD0099) (Status: HISTORIC) (DOI: 10.17487/RFC0005)

10007 Bird Transport: Sorting. E. Loft. June 2030. (Format: TXT) (Obsoletes
     RFC0003) (Status: INFORMATIONAL) (DOI: 10.17487/RFC10007)
"""

XML = """<?xml version="1.0" encoding="UTF-8"?>
<rfc-index xmlns="https://www.rfc-editor.org/rfc-index">
  <bcp-entry><doc-id>BCP0001</doc-id></bcp-entry>
  <rfc-entry>
    <doc-id>RFC0001</doc-id><title>Carrier &amp; Pigeon Framing</title>
    <author><name>A. Bird</name></author><author><name>E. Loft</name><title>Editor</title></author>
    <date><month>April</month><year>1969</year></date>
    <obsoleted-by><doc-id>RFC0003</doc-id></obsoleted-by>
    <current-status>UNKNOWN</current-status><doi>10.17487/RFC0001</doi>
  </rfc-entry>
  <rfc-not-issued-entry><doc-id>RFC0002</doc-id></rfc-not-issued-entry>
  <rfc-entry>
    <doc-id>RFC0003</doc-id><title>Revised</title>
    <date><month>July</month><year>1980</year></date>
    <obsoletes><doc-id>RFC0001</doc-id></obsoletes><updates><doc-id>RFC0009</doc-id></updates>
    <abstract><p>Birds, again.</p></abstract>
    <current-status>HISTORIC</current-status>
  </rfc-entry>
</rfc-index>
"""


def xep(number: str, status: str, more: str = "") -> str:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE xep SYSTEM 'xep.dtd' [
  <!ENTITY % ents SYSTEM 'xep.ent'>
%ents;
]>
<?xml-stylesheet type='text/xsl' href='xep.xsl'?>
<xep>
<header>
  <title>Bird Events {number}</title>
  <abstract>How birds tell.</abstract>
  &LEGALNOTICE;
  <number>{number}</number>
  <status>{status}</status>
  <type>Standards Track</type>
  <dependencies><spec>XMPP Core</spec><spec>XEP-0030</spec></dependencies>
  {more}
  <shortname>birds</shortname>
  <author><firstname>Ann</firstname><surname>Bird</surname></author>
  <revision><version>1.1</version><date>2005-02-01</date></revision>
  <revision><version>0.1</version><date>2003-09-16</date></revision>
</header>
<section1 topic='Introduction'><p>&lt;b&gt;</p></section1>
</xep>
"""


def pep(number: int, status: str = "Final", **fields: str) -> str:
    more = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in fields.items())
    head = f"PEP: {number}\nTitle: Proposal {number}\nStatus:  {status}\nCreated: 04-Jun-2009\n{more}"
    return f"{head}\n\nAbstract\n========\n\nReplaces: 1\n"


@pytest.fixture
def graph(tmp_path: Path) -> Callable[..., lineage.Graph]:
    """`graph({"pep-0008.rst": "…"})`"""

    def made(files: dict[str, str]) -> lineage.Graph:
        for name, text in files.items():
            (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "in" / name).write_text(text, encoding="utf-8")
        return lineage.build(lineage.read(tmp_path / "in"))

    return made


def links(graph: lineage.Graph) -> set[tuple[Any, ...]]:
    frame = graph.links
    columns = [frame[name] for name in ("source", "kind", "target", "declared_by", "void")]
    return {tuple(None if value is None else str(value) for value in link) for link in zip(*columns, strict=True)}


def statuses(graph: lineage.Graph) -> dict[str, str]:
    return dict(zip(graph.memories["id"], graph.memories["status"], strict=True))


def row(graph: lineage.Graph, name: str) -> Any:
    return graph.memories.set_index("id").loc[name]


def test_the_index_as_text(graph: Callable[..., lineage.Graph]) -> None:
    found = graph({"rfc-index.txt": INDEX})
    assert statuses(found) == {
        "RFC1": "superseded",
        "RFC3": "superseded",
        "RFC4": "live",
        "RFC5": "retracted",
        "RFC10007": "live",
    }
    assert links(found) == {
        ("RFC3", "supersedes", "RFC1", "successor", None),
        ("RFC4", "supersedes", "RFC3", "both", None),
        ("RFC7", "supersedes", "RFC3", "predecessor", "dangling"),
        ("RFC10007", "supersedes", "RFC3", "successor", None),
        ("RFC5", "amends", "RFC3", "both", None),
    }
    third = row(found, "RFC3")
    assert third["text"] == "Carrier Pigeon Framing, Revised"
    assert third["agent"] == "A. Bird, B.C. Nest-Egg, E. Loft"
    assert str(third["created_at"]) == "1980-07-01 00:00:00+00:00"
    assert ("status", "DRAFT STANDARD") in third["tags"]
    assert str(row(found, "RFC4")["created_at"]) == "1990-04-01 00:00:00+00:00"
    assert row(found, "RFC4")["text"] == "Bird Transport: Part 1. Framing"
    assert row(found, "RFC5")["agent"] == "Internet Architecture Board"
    assert third["line"] == INDEX[: INDEX.index("0003 ")].count("\n") + 1


def test_the_index_as_xml(graph: Callable[..., lineage.Graph]) -> None:
    found = graph({"rfc-index.xml": XML})
    assert statuses(found) == {"RFC1": "superseded", "RFC3": "retracted"}
    assert links(found) == {
        ("RFC3", "supersedes", "RFC1", "both", None),
        ("RFC3", "amends", "RFC9", "successor", "dangling"),
    }
    first = row(found, "RFC1")
    assert (first["text"], first["agent"]) == ("Carrier & Pigeon Framing", "A. Bird, E. Loft")
    assert row(found, "RFC3")["rationale"] == "Birds, again."


def test_peps(graph: Callable[..., lineage.Graph]) -> None:
    files = {
        "pep-0001.txt": pep(1, "Superseded", Superseded_By="2, 3"),
        "pep-0002.rst": pep(2, Replaces="1", Author="Ann <ann at example.com>,\n        Bo", Requires="3"),
        "pep-0003.rst": pep(3, "Draft", Replaces="1,\n  4"),
        "pep-0004.rst": pep(4, "Active"),
        "pep-0000.rst": pep(0, "Active"),
        "readme.rst": "Proposals\n=========\n\nPEP: yes.\n",
    }
    found = graph(files)
    assert links(found) == {
        ("PEP-2", "supersedes", "PEP-1", "both", None),
        ("PEP-3", "supersedes", "PEP-1", "both", "unaccepted-source"),
        ("PEP-3", "supersedes", "PEP-4", "successor", "unaccepted-source"),
        ("PEP-2", "relates", "PEP-3", "successor", None),
    }
    assert statuses(found) == {"PEP-1": "superseded", "PEP-2": "live", "PEP-3": "live", "PEP-4": "live"}
    assert row(found, "PEP-2")["agent"] == "Ann <ann at example.com>, Bo"
    assert str(row(found, "PEP-2")["created_at"]) == "2009-06-04 00:00:00+00:00"


def test_xeps(graph: Callable[..., lineage.Graph]) -> None:
    files = {
        "xep-0022.xml": xep("0022", "Obsolete", "<supersedes/><supersededby><spec>XEP-0085</spec></supersededby>"),
        "xep-0085.xml": xep("0085", "Draft", "<supersedes><spec>XEP-0022</spec></supersedes>"),
        "xep-0199.xml": xep("0199", "Experimental", "<supersedes><spec>XEP-0085</spec></supersedes>"),
    }
    found = graph(files)
    assert statuses(found) == {"XEP-0022": "superseded", "XEP-0085": "live", "XEP-0199": "live"}
    masking = {link for link in links(found) if link[1] == "supersedes"}
    assert masking == {
        ("XEP-0085", "supersedes", "XEP-0022", "both", None),
        ("XEP-0199", "supersedes", "XEP-0085", "successor", "unaccepted-source"),
    }
    first = row(found, "XEP-0022")
    assert (first["text"], first["agent"], first["rationale"]) == ("Bird Events 0022", "Ann Bird", "How birds tell.")
    assert str(first["created_at"])[:10] == "2003-09-16"
    assert str(first["updated_at"])[:10] == "2005-02-01"


def test_front_matter_of_series(graph: Callable[..., lineage.Graph]) -> None:
    files = {
        "eip-1.md": "---\neip: 0001\ntitle: Gas\nstatus: Final\ncreated: 2019-04-13\nauthor: Ann (@ann)\n---\n# Gas\n",
        "eip-2.md": "---\neip: 2\ntitle: Fees\nstatus: Final\nrequires: 1, 3\nreplaces: 1\n---\n",
        "CIP-0020/README.md": "---\nCIP: 20\nStatus: Inactive (superseded by CIP-0068)\nAuthors:\n  - Bo\n---\n",
        "keps/7/kep.yaml": "title: Pods\nkep-number: 7\nstatus: implemented\nreplaces:\n  - /keps/sig/5-old\n",
    }
    found = graph(files)
    assert statuses(found) == {"EIP-1": "superseded", "EIP-2": "live", "CIP-20": "superseded", "KEP-7": "live"}
    assert links(found) == {
        ("EIP-2", "supersedes", "EIP-1", "successor", None),
        ("EIP-2", "relates", "EIP-1", "successor", None),
        ("EIP-2", "relates", "EIP-3", "successor", "dangling"),
        ("CIP-68", "supersedes", "CIP-20", "predecessor", "dangling"),
        ("KEP-7", "supersedes", "KEP-5", "successor", "dangling"),
    }
    assert row(found, "CIP-20")["agent"] == "Bo"


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("xep-1.xml", "<xep><header><number>1</number>", "not XML"),
        ("xep-2.xml", "<xep><header><title>x</title></header></xep>", "no standard in it has a number"),
        ("eip-3.md", "---\neip: [3\n---\n", "not YAML"),
    ],
)
def test_what_is_broken_is_named(graph: Callable[..., lineage.Graph], name: str, text: str, cause: str) -> None:
    found = graph({name: text, "pep-0008.txt": pep(8)})
    assert statuses(found) == {"PEP-8": "live"}
    (finding,) = lineage.check(found, select=["LIN901"])
    assert cause in finding.message
    assert finding.locations[0].source.endswith(name)


def test_entities_are_never_resolved(graph: Callable[..., lineage.Graph], tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    bomb = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};&a{n - 1};">' for n in range(1, 40))
    text = f"""<!DOCTYPE xep [<!ENTITY a0 "x">{bomb}<!ENTITY f SYSTEM "file://{tmp_path}/secret.txt">]>
<xep><header><title>&f;&a39;</title><number>0001</number><status>Final</status></header></xep>"""
    found = graph({"xep-0001.xml": text})
    assert row(found, "XEP-0001")["text"] == "&f;&a39;"


def test_forty_years_are_read_in_one_go(graph: Callable[..., lineage.Graph]) -> None:
    entries = "".join(
        f"{n:04d} Title {n}. A. Bird. May {1970 + n // 250}. (Format: TXT)"
        f"{f' (Obsoletes RFC{n - 3:04d})' if n % 3 == 0 and n > 3 else ''} (Status: UNKNOWN)\n\n"
        for n in range(1, 9_701)
    )
    found = graph({"rfc-index.txt": "RFC INDEX\n\n" + entries})
    assert len(found.memories) == 9_700
    assert len(found.links) == 9_700 // 3 - 1


@given(st.one_of(st.text(), st.text(alphabet="<>&;[]!%xepPEP: 0123456789\n-()RFCStatus"), st.binary().map(repr)))
@example("PEP: 1\n")
@example("PEP: 999999\nCreated: 99-Feb-2009\n\n")
@example("<xep>" * 3_000)
@example("0001 x. (Status: " + "(" * 10_000)
@example("---\nkep-number: {}\n---\n")
@example("---\neip: " + "9" * 500 + "\n---\n")
@example("0001 RFC (Status: x)\n" + "     y (Obsoletes RFC1)\n" * 2_000)
def test_anything_is_read_or_refused(text: str) -> None:
    assert READER.documents
    READER.documents.claims(Document("x", text))
    for number, item in READER.documents.read([Document("x", text)]):
        assert number == 0
        assert item

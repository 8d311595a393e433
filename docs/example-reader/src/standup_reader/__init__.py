"""Stand-up minutes: a day, and below it what was decided.

== 2026-03-02
* D1 Deploy on Tuesdays (because: the team is there)
== 2026-03-09
* D2 Deploy every day (because: it is small) (instead of: D1)
"""

import re

from lineage.model import LinkKind
from lineage.readers.base import Documents, Link, Memory, Problem, Reader, Traits
from lineage.readers.fields import microseconds

_DAY = re.compile(r"== (\d{4}-\d\d-\d\d)$")
_DECISION = re.compile(r"\* (D\d+) ([^()]+)((?:\([^()]*\)\s*)*)$")
_MORE = re.compile(r"\(([a-z ]+): ([^()]*)\)")


def claims(document):
    """Minutes begin with a day."""
    return _DAY.match(document.text.partition("\n")[0]) is not None


def read(documents):
    """Every decision of every document, with the number of the document it stands in."""
    for number, document in enumerate(documents):
        day = None
        for line, text in enumerate(document.text.split("\n"), 1):
            dated = _DAY.match(text)
            day = microseconds(dated[1]) if dated else day
            if text.startswith("* D"):
                yield number, _decision(text, day, line)


def _decision(text, day, line):
    found = _DECISION.match(text)
    if not found:
        return Problem("LIN901", "a decision is `* D1 text (because: …) (instead of: D0)`", line=line)
    more = dict(_MORE.findall(found[3]))
    replaced = more.pop("instead of", None)
    return Memory(
        id=found[1],
        format="standup",
        kind="decision",
        text=found[2].strip(),
        rationale=more.pop("because", None),
        created_at=day,
        extra=more or None,
        links=[Link(LinkKind.SUPERSEDES, replaced, "instead of")] if replaced else [],
        line=line,
    )


READER = Reader(
    name="standup",
    about="stand-up minutes",
    signs="a first line `== YYYY-MM-DD`",
    documents=Documents(claims, read),
    local=True,
    traits=Traits(rationale=True),
    suffixes=(".txt",),
)

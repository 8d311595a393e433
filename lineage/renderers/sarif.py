"""The findings as SARIF 2.1.0, for code scanning and for editors.

A result is known from run to run by its fingerprint, which holds no lines and
no paths. GitHub takes at most 25,000 results of a run (and shows the gravest
5,000): more are left out, and a notification of the run says how many.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import msgspec

from lineage.model import Severity
from lineage.renderers.base import Renderer
from lineage.reporting.digest import counted
from lineage.reporting.document import entry_a_line
from lineage.reporting.model import AppliedRule, Finding, Location, Report
from lineage.text import one_line, printable, uri

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_VERSION = "2.1.0"
_MOST_RESULTS = 25_000
_MOST_PLACES = 100
"""Places and memories of one result: GitHub shows no more."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LABEL = re.compile(r"\A(What it finds|Why it matters|How to mend it):\s+")

Json = dict[str, Any]


def _message(text: str) -> Json:
    """A message object; what would be read as a placeholder or a link in it is none any more."""
    return {"text": _braced(text).replace("](", "] (")}


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _rule(rule: AppliedRule) -> Json:
    title, *paragraphs = (" ".join(part.split()) for part in rule.about.split("\n\n"))
    finds = next((_LABEL.sub("", part) for part in paragraphs if part.startswith("What it finds")), title)
    marked = "\n\n".join(_LABEL.sub(r"**\1:** ", part) for part in paragraphs)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": _message(title),
        "fullDescription": _message(finds[:1].upper() + finds[1:]),
        "help": {**_message("\n\n".join(paragraphs) or title), "markdown": _braced(marked or title)},
        "defaultConfiguration": {"level": _LEVELS[Severity(rule.usual)]},
    }


def _place(place: Location) -> Json:
    artifact = {"uri": uri(place.source)}
    if not PurePath(place.source).is_absolute():
        artifact["uriBaseId"] = "%SRCROOT%"
    region = {} if place.line is None else {"region": {"startLine": place.line}}
    return {"physicalLocation": {"artifactLocation": artifact, **region}}


def _memories(item: Finding) -> Json:
    shown = [{"fullyQualifiedName": printable(name), "kind": "memory"} for name in item.memories[:_MOST_PLACES]]
    return {"logicalLocations": shown} if shown else {}


def _result(item: Finding, index: Mapping[str, int], seen: Counter[str]) -> Json:
    known = item.fingerprint
    seen[known] += 1
    first, *others = [_place(place) for place in item.locations[:_MOST_PLACES]] or [{}]
    location = {**first, **_memories(item)}
    return {
        "ruleId": item.rule,
        "ruleIndex": index[item.rule],
        "level": _LEVELS[Severity(item.severity)],
        "message": _message(one_line(f"{item.message} {item.mend}")),
        "locations": [location] if location else [],
        **({"relatedLocations": others} if others else {}),
        # GitHub goes by its own key alone, which it would otherwise fill with a hash of the line.
        "partialFingerprints": {"lineage/v1": known, "primaryLocationLineHash": f"{known}:{seen[known]}"},
    }


def _invocation(report: Report, shown: int) -> Json:
    total = sum(report.counts.values())
    made: Json = {"executionSuccessful": True, "endTimeUtc": report.generated_at}
    if total > shown:
        rest = f"{total - shown:,} of {counted(total, 'finding')}"
        said = f"{rest} {'is' if total - shown == 1 else 'are'} left out; `lineage report -f json --limit 0` has all."
        made["toolExecutionNotifications"] = [{"level": "warning", "message": _message(said)}]
    return made


def render(report: Report) -> bytes:
    """The whole SARIF file."""
    index = {code: number for number, code in enumerate(report.rules)}
    seen: Counter[str] = Counter()
    results = [_result(item, index, seen) for item in report.findings[:_MOST_RESULTS]]
    driver = {
        "name": "lineage",
        "version": report.version,
        "rules": [_rule(rule) for rule in report.rules.values()],
    }
    run = {
        b"tool": msgspec.json.encode({"driver": driver}),
        b"invocations": entry_a_line([_invocation(report, len(results))], 6),
        b"results": entry_a_line(results, 6),
    }
    members = b",\n    ".join(b'"%b": %b' % member for member in run.items())
    head = b'{\n  "$schema": "%b",\n  "version": "%b",\n' % (_SCHEMA.encode(), _VERSION.encode())
    return head + b'  "runs": [{\n    ' + members + b"\n  }]\n}\n"


RENDERER = Renderer(
    name="sarif",
    about="for code scanning and editors (SARIF 2.1.0)",
    suffix=".sarif",
    render=render,
)

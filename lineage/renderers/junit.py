"""The findings as JUnit XML, for the test reports that every CI shows: a test case a rule.

A rule that found errors or warnings is a failure; what a rule found that is
only worth a note stands in the output of its case, which passes. Every rule
that was looked for has its case, so that a report without failures says what
was looked for. Which findings end a run is for `--fail-on` alone to say.
"""

from collections.abc import Iterator, Sequence

from lineage.model import Severity
from lineage.renderers.base import Renderer
from lineage.reporting import digest
from lineage.reporting.digest import counted
from lineage.reporting.model import AppliedRule, Finding, Report
from lineage.text import one_line, xml


def _attributes(**values: str | int) -> str:
    return "".join(f' {name}="{xml(one_line(str(value)))}"' for name, value in values.items())


def _finding(item: Finding) -> Iterator[str]:
    where = digest.first_place(item)
    yield xml(one_line(f"{where}: {item.message}" if where else item.message))
    if item.mend:
        yield xml(f"    mend: {one_line(item.mend)}")


def _listed(rule: AppliedRule, found: Sequence[Finding], count: int) -> str:
    lines = [line for item in found for line in _finding(item)]
    if count > len(found):
        lines.append(f"… {counted(count - len(found), 'more finding')} of {rule.code} not listed (--limit)")
    return "\n".join(lines)


def _case(rule: AppliedRule, found: Sequence[Finding], count: int) -> Iterator[str]:
    title = " ".join(rule.about.partition("\n\n")[0].split())
    opening = f"    <testcase{_attributes(classname='lineage', name=f'{rule.code} {rule.name}', time=0)}"
    if not count:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    if rule.severity == Severity.INFO:
        yield f"      <system-out>{_listed(rule, found, count)}</system-out>"
    else:
        said = f"{counted(count, rule.severity)}: {title}"
        yield f"      <failure{_attributes(type=rule.severity, message=said)}>{_listed(rule, found, count)}</failure>"
    yield "    </testcase>"


def render(report: Report) -> bytes:
    """The whole XML file."""
    found: dict[str, list[Finding]] = {code: [] for code in report.rules}
    for item in report.findings:
        found[item.rule].append(item)
    failed = [rule for rule in report.rules.values() if report.counts.get(rule.code) and rule.severity != Severity.INFO]
    properties = {"version": report.version, "title": report.title, "as_of": report.as_of}
    tally = _attributes(tests=len(report.rules), failures=len(failed), errors=0, skipped=0, time=0)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="lineage"{tally}>',
        f'  <testsuite name="lineage"{tally}{_attributes(timestamp=report.generated_at.removesuffix("Z"))}>',
        "    <properties>",
        *(f"      <property{_attributes(name=name, value=value)}/>" for name, value in properties.items() if value),
        "    </properties>",
    ]
    for code, rule in report.rules.items():
        lines += _case(rule, found[code], report.counts.get(code, 0))
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""]).encode()


RENDERER = Renderer(
    name="junit",
    about="for the test reports of CI (JUnit XML), a test case a rule",
    suffix=".xml",
    render=render,
)

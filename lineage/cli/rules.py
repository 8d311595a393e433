"""`lineage rules`: what is looked for, why, and how to mend it."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from lineage import discovery
from lineage.cli.streams import emit_lines
from lineage.cli.types import nearest

if TYPE_CHECKING:
    from lineage.rules.base import Rule


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(code, help=rule.name)
        for code, rule in discovery.rules().items()
        if code.startswith(incomplete.upper())
    ]


def _list() -> Iterator[str]:
    rules = discovery.rules().values()
    names = max(len(rule.name) for rule in rules)
    for rule in rules:
        first = rule.about.strip().partition("\n")[0]
        yield f"{rule.code}  {rule.severity:<7}  {rule.name:<{names}}  {first}"


def _page(rule: "Rule") -> Iterator[str]:
    yield f"{rule.code} {rule.name} ({rule.severity})"
    yield ""
    yield from rule.about.strip().split("\n")
    if rule.threshold:
        yield ""
        threshold = rule.threshold
        yield f"Threshold in {threshold.unit}: {threshold.usual:g}; `thresholds = {{{rule.code} = …}}` sets another."
    for example in rule.examples:
        yield ""
        yield f"Example: {example.title}"
        for record in example.records:
            yield f"  {record}" if isinstance(record, str) else f"  {json.dumps(record)}"
        if not example.finds:
            yield "  finds nothing"
        for ids in example.finds:
            yield f"  finds {', '.join(ids) or 'it'}"


@click.command("rules")
@click.argument("code", required=False, shell_complete=_complete)
def command(code: str | None) -> None:
    """List the rules, or explain one.

    CODE is the code or the name of a rule: LIN103 or orphan.
    """
    if code is None:
        emit_lines(_list())
        return
    known = discovery.rules()
    found = known.get(code.upper()) or next((rule for rule in known.values() if rule.name == code.lower()), None)
    if found is None:
        names = [*known, *(rule.name for rule in known.values())]
        raise click.UsageError(f"there is no rule {code!r}; {nearest(code, names)}")
    emit_lines(_page(found))

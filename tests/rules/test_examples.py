"""Every example of every rule, read, built and checked."""

import io
import json

import pytest

import lineage
from lineage import discovery
from lineage.rules.base import Example, Rule

RULES = list(discovery.rules().values())
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{example.title.replace(' ', '-')}")
    for rule in RULES
    for example in rule.examples
]


def written(example: Example) -> bytes:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in example.records]
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_finds_what_it_says(rule: Rule, example: Example) -> None:
    graph = lineage.build(lineage.read(io.BytesIO(written(example))))
    thresholds = {} if example.threshold is None else {rule.code: example.threshold}
    findings = lineage.check(graph, select=[rule.code], thresholds=thresholds)
    assert sorted(sorted(finding.memories) for finding in findings) == sorted(sorted(ids) for ids in example.finds)
    assert {finding.rule for finding in findings} <= {rule.code}
    for finding in findings:
        for sentence in (finding.message, finding.mend):
            assert sentence[0].isprintable()
            assert sentence.endswith(".")
            assert not {"{", "}", "\n"} & set(sentence)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_its_page_and_examples_of_both_kinds(rule: Rule) -> None:
    assert rule.examples
    assert any(example.finds for example in rule.examples)
    assert any(not example.finds for example in rule.examples)
    titles = [example.title for example in rule.examples]
    assert len(set(titles)) == len(titles)
    for heading in ("What it finds:", "Why it matters:", "How to mend it:"):
        assert heading in rule.about


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)

"""How often the rules about texts are right, on pairs labelled by hand.

    python benchmarks/labelled.py          precision and recall of LIN501, LIN502 and LIN503
    python benchmarks/labelled.py -v       and each pair that is judged otherwise than its label

`labelled_same.tsv` holds two texts a line, and whether they say the same: once
both live (LIN502), once with the first one superseded elsewhere (LIN503).
`labelled_relapse.tsv` holds an option that a decision rejected and the text of
a later one. Half of the pairs are hard negatives. Each pair is a corpus of its
own. Ends with 1 where a bound is missed.
"""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import lineage

HERE = Path(__file__).resolve().parent
BOUNDS = {"LIN501": (0.9, 0.8), "LIN502": (0.95, 0.8), "LIN503": (0.95, 0.8)}
"""The least precision and recall."""

Record = dict[str, object]


def decision(id: str, day: int, text: str, **more: object) -> Record:
    created = f"2026-01-{day:02}T10:00:00Z"
    return {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision", "id": id, "text": text} | {
        "created_at": created,
        **more,
    }


def corpora() -> Iterator[tuple[str, bool, str, list[Record]]]:
    """The rule, the label, the pair in words, and the records of each labelled pair."""
    for line in (HERE / "labelled_same.tsv").read_text().splitlines():
        label, first, second = line.split("\t")
        pair = f"{first} | {second}"
        older, newer = decision("a", 1, first), decision("b", 2, second)
        yield "LIN502", label == "yes", pair, [older, newer]
        links = [{"kind": "supersedes", "target": "a", "via": "supersedes"}]
        yield "LIN503", label == "yes", pair, [older, newer, decision("c", 3, "Weigh this matter anew", links=links)]
    for line in (HERE / "labelled_relapse.tsv").read_text().splitlines():
        label, option, text = line.split("\t")
        rejected = [{"option": option, "reason": "weighed and turned down"}]
        earlier = decision("a", 1, "Refresh the status endpoint as agreed", rejected=rejected)
        yield "LIN501", label == "yes", f"{option} | {text}", [earlier, decision("b", 2, text)]


def found(rule: str, records: list[Record]) -> bool:
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    return bool(lineage.check(lineage.build(lineage.read(io.BytesIO(data))), select=[rule]))


def main() -> int:
    counts = {rule: {(label, said): 0 for label in (True, False) for said in (True, False)} for rule in BOUNDS}
    for rule, label, pair, records in corpora():
        said = found(rule, records)
        counts[rule][label, said] += 1
        if said != label and "-v" in sys.argv[1:]:
            print(f"{rule} {'missed' if label else 'false alarm'}: {pair}")
    print("| rule | pairs | of them negatives | precision | recall |\n| --- | --- | --- | --- | --- |")
    kept = True
    for rule, (precise, complete) in BOUNDS.items():
        seen = counts[rule]
        right, alarms, missed = seen[True, True], seen[False, True], seen[True, False]
        precision, recall = right / max(right + alarms, 1), right / max(right + missed, 1)
        kept &= precision >= precise and recall >= complete
        negatives = alarms + seen[False, False]
        print(f"| {rule} | {right + missed + negatives} | {negatives} | {precision:.3f} | {recall:.3f} |")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

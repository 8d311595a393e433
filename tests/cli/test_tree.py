"""The tree that `trace` draws: columns, branches, references, and no depth that is too deep."""

from lineage.cli.tree import Edge, forest, lines


def _drawn(count: int, *links: tuple[int, int]) -> list[str]:
    made = forest(count, [Edge(newer, older) for newer, older in links])
    return list(lines(made, lambda node, _about, _cells: str(node), lambda node, _about, _cells: f"see {node}"))


def test_a_chain_stands_in_one_column() -> None:
    assert _drawn(3, (1, 0), (2, 1)) == ["┌ 0", "├ 1", "└ 2"]


def test_one_node_alone() -> None:
    assert _drawn(1) == ["─ 0"]


def test_a_fork_hangs_its_smaller_part_aside() -> None:
    assert _drawn(5, (1, 0), (2, 0), (3, 2), (4, 1), (4, 1)) == ["┌ 0", "├─┬ 2", "│ └ 3", "├ 1", "├╌╌ see 4", "└ 4"]


def test_a_merge_is_drawn_once_and_referred_to() -> None:
    assert _drawn(3, (2, 0), (2, 1)) == ["┌ 0", "└ 2", "┌ 1", "└╌╌ see 2"]


def test_a_circle_starts_at_one_of_its_own() -> None:
    assert _drawn(4, (0, 2), (1, 0), (2, 1), (3, 1)) == ["┌ 0", "├ 1", "├── 3", "├ 2", "└╌╌ see 0"]


def test_what_hangs_on_a_circle_does_not_start_the_tree() -> None:
    assert _drawn(3, (0, 1), (1, 2), (2, 1)) == ["┌ 1", "├── 0", "├ 2", "└╌╌ see 1"]


def test_what_an_edge_says_is_handed_on() -> None:
    made = forest(2, [Edge(1, 0, "reverses it")])
    assert list(lines(made, lambda node, about, cells: f"{node}{about}{cells}", lambda *_: "")) == [
        "┌ 02",
        "└ 1reverses it2",
    ]


def test_neither_long_chains_nor_combs_run_to_the_right() -> None:
    count = 20_000
    chain = _drawn(count, *((node, node - 1) for node in range(1, count)))
    comb = _drawn(count, *((node, node - 1 if node % 2 else node - 2) for node in range(1, count)))
    assert len(chain) == len(comb) == count
    assert max(map(len, (*chain, *comb))) < 40


def test_every_node_is_drawn_once() -> None:
    links = [(newer, older) for older in range(30) for newer in (older + 1, older * 2 + 1, (older * 7) % 30)]
    shown: list[int] = []

    def show(node: int, _about: str, _cells: int) -> str:
        shown.append(node)
        return ""

    pairs = [(newer, older) for newer, older in links if newer < 30 and newer != older]
    list(lines(forest(30, [Edge(*pair) for pair in pairs]), show, lambda *_: ""))
    assert sorted(shown) == list(range(30))

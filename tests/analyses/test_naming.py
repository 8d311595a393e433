"""How a sentence names memories."""

from lineage.analyses.naming import listed, quoted, walked


def test_an_id_is_quoted_on_one_line() -> None:
    assert quoted("a\nb\x1b[31m") == "'a b\\u{1b}[31m'"


def test_a_long_id_keeps_both_ends() -> None:
    uri = "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/dev.bastienrobert.memory.record/3kabc2def3ghi"
    assert quoted(uri) == "'at://did:plc:aaaaaaaa…emory.record/3kabc2def3ghi'"
    assert quoted("x" * 48) == f"'{'x' * 48}'"


def test_a_list_reads_as_part_of_a_sentence() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "'a'"
    assert listed(["a", "b"]) == "'a' and 'b'"
    assert listed(["a", "b", "c"]) == "'a', 'b' and 'c'"
    assert listed([str(number) for number in range(1_205)], most=2) == "'0', '1' and 1,203 more"


def test_a_walk_leaves_out_its_middle() -> None:
    assert walked(["a", "b", "a"]) == "'a' → 'b' → 'a'"
    assert walked(list("abcdefga")) == " → ".join(f"'{name}'" for name in "abcdefga")
    assert walked(list("abcdefgha")) == "'a' → 'b' → 'c' → 'd' → 'e' → 'f' → (2 more) → 'a'"

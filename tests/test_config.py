"""Settings: which file counts, what may stand in it, and what is said of what may not."""

from pathlib import Path

import pytest

from lineage import config
from lineage.errors import ConfigError


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _load(tmp_path: Path, text: str, command: str = "report") -> config.Settings:
    return config.load(_write(tmp_path / "lineage.toml", text), command)


def test_every_option_is_read(tmp_path: Path) -> None:
    settings = _load(
        tmp_path,
        """
        inputs = "memories.jsonl"
        format = ["html", "json"]
        output = "out/"
        title = "Ours"
        fail-on = "warning"
        select = ["LIN1"]
        ignore = "LIN103"
        limit = 0
        from = "mindr"
        as-of = 2026-05-01
        kind = ["decision", "fact"]
        strict = true
        baseline = "known.json"
        allow-empty = true
        quiet = true
        verbose = false
        no-progress = true
        redact = true
        severity = {LIN103 = "error", LIN301 = "off"}
        thresholds = {LIN203 = 2.5, LIN205 = 3}
        """,
    )
    assert settings.options() == {
        "format": ("html", "json"),
        "output": "out/",
        "title": "Ours",
        "fail_on": ("warning",),
        "select": ("LIN1",),
        "ignore": ("LIN103",),
        "limit": 0,
        "from_": "mindr",
        "as_of": "2026-05-01",
        "kind": ("decision", "fact"),
        "strict": True,
        "baseline": "known.json",
        "allow_empty": True,
        "quiet": True,
        "verbose": False,
        "no_progress": True,
        "redact": True,
    }
    assert settings.severity == {"LIN103": "error", "LIN301": "off"}
    assert settings.thresholds == {"LIN203": 2.5, "LIN205": 3}
    assert settings.inputs == ("memories.jsonl",)


def test_nothing_set_is_nothing() -> None:
    assert config.Settings().options() == {}


def test_format_output_and_title_are_the_reports(tmp_path: Path) -> None:
    text = 'format = "html"\noutput = "x.html"\ntitle = "T"\nlimit = 3'
    assert _load(tmp_path, text, "check").options() == {"limit": 3}
    assert _load(tmp_path, text, "report").options()["format"] == ("html",)


def test_a_commands_own_table_wins(tmp_path: Path) -> None:
    text = 'fail-on = "error"\n[check]\nfail-on = "info"\nformat = "json"'
    assert _load(tmp_path, text, "check").fail_on == ("info",)
    assert _load(tmp_path, text, "check").format == ("json",)
    assert _load(tmp_path, text, "report").fail_on == ("error",)
    assert _load(tmp_path, text, "report").format is None


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    _write(tmp_path / "lineage.toml", "limit = 1")
    _write(tmp_path / "a/pyproject.toml", "[tool.lineage]\nlimit = 2")
    _write(tmp_path / "a/b/pyproject.toml", "[project]\nname = 'no settings here'")
    (tmp_path / "a/b/c").mkdir()
    assert config.load(None, "report", start=tmp_path / "a/b/c").limit == 2
    _write(tmp_path / "a/lineage.toml", "limit = 3")
    assert config.load(None, "report", start=tmp_path / "a/b/c").limit == 3
    assert config.load(None, "report", start=tmp_path).limit == 1


def test_none_is_found(tmp_path: Path) -> None:
    assert config.load(None, "report", start=tmp_path) == config.Settings()


def test_paths_are_relative_to_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a[1]"
    _write(
        place / "lineage.toml",
        'output = "out/"\nbaseline = "known.json"\ninputs = ["m.jsonl", "all/*.jsonl", "/abs/*.jsonl", "-"]',
    )
    monkeypatch.chdir(place)
    settings = config.load(None, "check")
    assert (settings.baseline, config.load(None, "report").output) == ("known.json", "out/")
    assert settings.inputs == ("m.jsonl", "all/*.jsonl", "/abs/*.jsonl", "-")
    (place / "below").mkdir()
    monkeypatch.chdir(place / "below")
    settings = config.load(None, "check")
    assert (settings.baseline, config.load(None, "report").output) == (f"{place}/known.json", f"{place}/out/")
    # What the folder is called is no part of a glob.
    assert settings.inputs == (f"{place}/m.jsonl", f"{tmp_path}/a[[]1]/all/*.jsonl", "/abs/*.jsonl", "-")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fromat = 'html'", ["'fromat'", "'format'"]),
        ("fail_on = 'error'", ["'fail_on'", "'fail-on'"]),
        ("[check]\ntitel = 'x'\n", ["'check.titel'"]),
        ("[check]\noutput = 'x'\n", ["unknown key 'check.output'"]),
        ("[chek]\nlimit = 1\n", ["'chek'", "'check'"]),
        ("title = 1", ["'title'", "a string", "1"]),
        ("format = [1]", ["'format'", "a list of strings"]),
        ("limit = -1", ["'limit'", "0 or more"]),
        ("limit = true", ["'limit'"]),
        ("strict = 1", ["'strict'", "true or false"]),
        ("as-of = 3", ["'as-of'", "a date"]),
        ("severity = 'error'", ["'severity'"]),
        ("severity = {LIN103 = 'fatal'}", ["'severity'", "error | warning | info | off"]),
        ("report = 3", ["'report'", "a table"]),
        ("[report]\nbaseline = 'x'\n", ["unknown key 'report.baseline'"]),
        ("inputs = 3", ["'inputs'", "a list of strings"]),
        ("input = 'x'", ["'input'", "'inputs'"]),
        ("treshold = {}", ["'treshold'", "'thresholds'"]),
        ("thresholds = 3", ["'thresholds'", "a table of rule = number"]),
        ("thresholds = {LIN203 = '1 s'}", ["'thresholds'", "number, 0 or more"]),
        ("thresholds = {LIN203 = -1}", ["'thresholds'"]),
        ("thresholds = {LIN203 = true}", ["'thresholds'"]),
        ("thresholds = {LIN203 = inf}", ["'thresholds'"]),
        ("thresholds = {LIN203 = nan}", ["'thresholds'"]),
        ("allow-empty = 'yes'", ["'allow-empty'", "true or false"]),
        ("quiet = 1", ["'quiet'", "true or false"]),
        ("baseline = ['a']", ["'baseline'", "a string"]),
        ("limit = = 1", ["not valid TOML", "line 1"]),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "lineage.toml"))
    for word in words:
        assert word in str(caught.value)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        config.load(tmp_path / "none.toml", "report")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not valid TOML"):
        config.load(tmp_path / "bytes.toml", "report")


def test_a_pyproject_given_by_name_must_have_the_table(tmp_path: Path) -> None:
    path = _write(tmp_path / "pyproject.toml", "[tool.other]\nx = 1")
    with pytest.raises(ConfigError, match=r"no table \[tool.lineage\]"):
        config.load(path, "report")
    _write(path, "tool = 3")
    with pytest.raises(ConfigError, match="no table"):
        config.load(path, "report")
    _write(path, "[tool]\nlineage = 3")
    with pytest.raises(ConfigError, match=r"'tool\.lineage' must be a table"):
        config.load(path, "report")

"""The report as JSON, schema `lineage-report/v1`."""

from typing import Any

import msgspec

from lineage.renderers.base import Renderer
from lineage.reporting.document import entry_a_line, to_dict
from lineage.reporting.model import Report


def _without_surrogates(value: Any) -> Any:
    """The value with every stray surrogate written out as its escape.

    JSON is UTF-8, which has no surrogates, but a path that is not valid UTF-8
    reaches Python with some.
    """
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
        case list():
            return [_without_surrogates(item) for item in value]
        case _:
            return value


def render(report: Report) -> bytes:
    """The whole JSON file: a key a line, and an entry a line in the lists, so that it greps and diffs well."""
    document = to_dict(report)
    try:
        return _laid_out(document)
    except UnicodeEncodeError:
        return _laid_out(_without_surrogates(document))


def _laid_out(document: dict[str, Any]) -> bytes:
    encode = msgspec.json.Encoder().encode
    lines = []
    for key, value in document.items():
        if isinstance(value, list):
            text = entry_a_line(value, 4)
        else:
            text = msgspec.json.format(encode(value), indent=2).replace(b"\n", b"\n  ")
        lines.append(b"  " + encode(key) + b": " + text)
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


RENDERER = Renderer(
    name="json",
    about="everything, for programs (schema lineage-report/v1)",
    suffix=".json",
    render=render,
)

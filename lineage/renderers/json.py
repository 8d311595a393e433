"""The report as JSON, schema `lineage-report/v1`."""

from typing import Any

import msgspec

from lineage.renderers.base import Renderer
from lineage.reporting.document import to_dict
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
    """The whole JSON file."""
    document = to_dict(report)
    try:
        encoded = msgspec.json.encode(document)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_without_surrogates(document))
    return msgspec.json.format(encoded, indent=2) + b"\n"


RENDERER = Renderer(
    name="json",
    about="everything, for programs (schema lineage-report/v1)",
    suffix=".json",
    render=render,
)

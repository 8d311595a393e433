"""How pages are made.

Every value passes `printable` on its way into a page (`finalize`) and is then
escaped, so a template cannot forget either.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from lineage.drawings.svg import style as diagram_style
from lineage.layout.labels import short_id
from lineage.layout.language import GLYPHS
from lineage.model import Severity
from lineage.renderers._page.findings import GRAVE
from lineage.renderers._page.limits import clipped
from lineage.reporting import digest
from lineage.text import for_logs, may_be_logged, printable, shortened

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent.with_name("templates")
_SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"


@cache
def environment() -> "Environment":
    """How pages are made: everything escaped and printable, the style and script and their hashes at hand."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # It would take longer to run than it saves in one page.
        optimized=False,
    )
    environment.filters.update(clip=clipped, shortened=shortened, short_id=short_id, seen=_seen)
    style = "".join(map(_text, ("report.css", "parts.css", "small.css"))) + diagram_style()
    script = _text("report.js")
    environment.globals.update(
        style=style,
        script=script,
        style_hash=_hash(style),
        policy=_POLICY.format(style=_hash(style), script=_hash(script)),
        signs=_SIGNS,
        glyphs=GLYPHS,
        nouns=digest.NOUNS,
        grave=GRAVE,
        day=digest.day,
    )
    return environment


def _finalized(value: Any) -> Any:
    """Text as a page holds it; a page may be printed into the log of a CI job, whose runner obeys some lines."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    text = printable(value)
    return text if may_be_logged(text) else Markup(for_logs(str(escape(text))))  # noqa: S704 - escaped right here


def _seen(value: str) -> str:
    """A value that is to be read, or what says that there is nothing to be read."""
    return value if value.strip() else "(empty)"


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"

"""A page to move about in and to ask, with the SVG in it: complete in itself, and of use without its script too."""

import base64
import hashlib
from pathlib import Path

from lineage.drawings.base import Picture
from lineage.drawings.svg import style, svg
from lineage.layout.diagram import Diagram
from lineage.text import one_line

_TEMPLATES = Path(__file__).with_name("templates")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _draw(diagram: Diagram) -> bytes:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    page_style, script = (_read(name) for name in ("page.css", "page.js"))
    hashes = {"styles": f"'{_hash(page_style)}' '{_hash(style())}'", "script": _hash(script)}
    page = environment.get_template("page.html.j2").render(
        title=one_line(diagram.title), svg=svg(diagram), page_style=page_style, script=script, hashes=hashes
    )
    return page.encode()


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


DRAWING = Picture(name="html", suffix=".html", draw=_draw, about="a page to move about in, with every text in full")

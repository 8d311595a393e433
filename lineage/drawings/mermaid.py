"""Mermaid, which forges draw in Markdown; where everything stands is for Mermaid to decide.

Mermaid reads a label several times over: as its own language, for entities,
as Markdown, for icons and for formulas. So whatever is not plainly a letter, a
digit or a blank is written as the number of its character.
"""

import re
from collections.abc import Iterator, Mapping

from lineage.drawings.base import Picture
from lineage.layout.diagram import Diagram, Edge
from lineage.layout.language import GLYPHS, LIGHT, Look, Stroke
from lineage.layout.stacking import stacked
from lineage.text import one_line

# What Mermaid draws at most where nothing else is configured.
_MOST_CHARACTERS = 50_000
_MOST_EDGES = 500

# The hyphen is plain within words, as in dates. A blank behind the word "direction" would make the whole line one,
# wherever the word stands in it.
_NOT_PLAIN = re.compile(r"_|(?<![^\W_])-|-(?![^\W_])|(?<=(?i:direction)) |[^\w ,…·×—●○⊗✓⊖✕▲◆▪◌⊘⋯-]")
# What Mermaid puts in the place of # and ; until the end, when it takes any such mark for its own.
_MARKS = re.compile("ﬂ(?=°)|¶(?=ß)")

_SHAPES: Mapping[Look, tuple[str, str]] = {
    Look.MARKER: ("{{", "}}"),
    Look.LOG: ("[", "]"),
    Look.STUB: ("[", "]"),
    Look.FOLD: ("[[", "]]"),
}
_FURTHER_STYLES: Mapping[Look, str] = {
    Look.LIVE: ",stroke-width:2px,font-weight:bold",
    Look.DELETED: ",stroke-dasharray:4 3,text-decoration:line-through",
    Look.CYCLIC: ",stroke-width:3px",
    Look.GHOST: ",stroke-dasharray:2 3",
    Look.STUB: ",stroke-dasharray:4 3",
}


def mermaid(diagram: Diagram) -> str:
    """The diagram in Mermaid's language; in Markdown nothing in it can end the code block around it."""
    nodes = diagram.nodes
    lines = [
        "---",
        f'title: "{_yaml(diagram.title)}"',
        "config:",
        "  flowchart:",
        "    wrappingWidth: 400",
        "---",
        "flowchart RL" if diagram.rightwards else "flowchart TB",
        f"  accDescr: {_label(' '.join([diagram.about, *diagram.folded]))}",
        *(f"  {line}" for line in _nodes(diagram)),
        *(f"  {nodes[edge.source].key} {_link(edge)} {nodes[edge.target].key}" for edge in diagram.edges),
        *(f"  {nodes[upper].key} ~~~ {nodes[lower].key}" for upper, lower in stacked(diagram)),
        *(f"  {line}" for line in _styles(diagram)),
    ]
    return "".join(f"{line}\n" for line in lines)


def _label(words: str) -> str:
    parted = _MARKS.sub("\\g<0>\u200b", one_line(words))
    return _NOT_PLAIN.sub(lambda found: f"#{ord(found[0])};", parted)


def _yaml(words: str) -> str:
    """Words for a quoted string in YAML, in which Mermaid takes the title."""
    return _NOT_PLAIN.sub(lambda found: f"\\U{ord(found[0]):08x}", one_line(words))


def _nodes(diagram: Diagram) -> Iterator[str]:
    for node in diagram.nodes:
        glyph = GLYPHS[node.look]
        opening, closing = _SHAPES.get(node.look, ("(", ")"))
        words = [f"{glyph.character} {glyph.word}", *node.lines, node.caption]
        # With <br/> between the lines, some versions decode the label before they read it as Markdown.
        label = "\n".join(_label(line) for line in words if line)
        yield f'{node.key}{opening}"{label}"{closing}'


def _link(edge: Edge) -> str:
    label = f'|"{_label(edge.label)}"|' if edge.label else ""
    if edge.circle:
        return f"==>{label}"
    return f"-->{label}" if edge.style.stroke is Stroke.SOLID else f"-.->{label}"


def _styles(diagram: Diagram) -> Iterator[str]:
    for look in diagram.looks:
        fill, ink = ("wash", "ink") if look is Look.LIVE else ("paper", "ink" if look is Look.CYCLIC else "soft")
        plain = f"fill:{LIGHT[fill]},stroke:{LIGHT[look]},color:{LIGHT[ink]}"
        yield f"classDef {look} {plain}{_FURTHER_STYLES.get(look, '')}"
        yield f"class {','.join(node.key for node in diagram.nodes if node.look is look)} {look}"
    asked = ",".join(node.key for node in diagram.nodes if node.asked)
    if asked:
        yield f"classDef asked stroke:{LIGHT['ink']},stroke-width:4px"
        yield f"class {asked} asked"
    for style in diagram.styles:
        links = ",".join(str(number) for number, edge in enumerate(diagram.edges) if edge.style == style)
        yield f"linkStyle {links} stroke:{LIGHT[style.tone]},stroke-width:{style.width:g}px"


def draw(diagram: Diagram) -> bytes:
    """The whole file."""
    return mermaid(diagram).encode()


def fits(diagram: Diagram, drawn: bytes) -> bool:
    """Whether Mermaid draws it, which counts characters as UTF-16 does."""
    edges = len(diagram.edges) + len(stacked(diagram))
    return edges <= _MOST_EDGES and len(drawn.decode().encode("utf-16-le")) // 2 <= _MOST_CHARACTERS


DRAWING = Picture(
    name="mermaid",
    suffix=".mmd",
    draw=draw,
    fits=fits,
    about="for Markdown that draws Mermaid",
)

"""A diagram: nodes and edges in their places, ready to be drawn in any format.

Lengths are px at 96 to the inch, y grows downwards, the origin is the upper
left corner. What a node or an edge says in `lines`, `caption` and `label` is
cut to its room and safe to show; `id` and `text` are as the record has them,
untrusted, and every drawing escapes them itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lineage.layout.language import CIRCLE, LINKS, VOID, LinkStyle, Look, Point
from lineage.model import LinkKind

RADIUS = 6.5
"""The radius of a live head's glyph."""
FONT = 12.5
"""The size of the text of a node; `LINE` is the distance of its lines."""
LINE = 16.0
SMALL_FONT = 10.5
"""The size of captions, of the labels of edges, and of the text of ghosts, markers, stubs and folds."""
SMALL_LINE = 14.0


@dataclass(frozen=True, slots=True)
class Node:
    """A memory, a marker, a missing one, the end of a refused link, or several memories folded into one.

    `key` is made up (`n17`) and unique in its diagram; `id` is the record's,
    empty for a fold. `count` says how many nodes of the graph it stands for.
    `lines` is the text cut to its room, one or two lines; `caption` the date and
    the beginning of the id; `day` the date, or empty. `asked` marks the node
    that was asked for. `x`, `y` are the centre of the glyph; `label` is the
    upper left corner of the text, the first line at once below it.
    """

    key: str
    id: str
    look: Look
    kind: str | None
    text: str | None
    day: str
    lines: Sequence[str]
    caption: str
    count: int = 1
    asked: bool = False
    x: float = 0.0
    y: float = 0.0
    label: Point = (0.0, 0.0)

    @property
    def small(self) -> bool:
        """Whether it is drawn smaller than a memory."""
        return self.look in {Look.MARKER, Look.LOG, Look.GHOST, Look.STUB, Look.FOLD}


@dataclass(frozen=True, slots=True)
class Edge:
    """A link from the acting node onto the one acted on: indexes into the nodes of the diagram.

    `void` is why it has no effect, None where it has. `circle` says that it
    lies in a circle of supersedes links. `label` says what is to be said of it:
    nothing where it simply supersedes. `count` is how many links it stands for.
    `points` lead from the source's glyph to the target's, every corner a right
    angle; `label_at` is where the label begins, on its baseline.
    """

    source: int
    target: int
    kind: LinkKind
    void: str | None = None
    implied: bool = False
    circle: bool = False
    label: str = ""
    count: int = 1
    points: Sequence[Point] = ()
    label_at: Point = (0.0, 0.0)

    @property
    def style(self) -> LinkStyle:
        """How it is drawn."""
        if self.circle:
            return CIRCLE
        return VOID if self.void else LINKS[self.kind]


@dataclass(frozen=True)
class Diagram:
    """What is to be drawn.

    `title` names it and `about` says in one sentence what is to be seen; both
    are safe to show on one line. `folded` says, sentence by sentence, what was
    folded. `rightwards` tells that the newest stand at the right and not at the
    top. Nodes are in order of lineage and place, edges of their ends.
    """

    title: str
    about: str
    width: float
    height: float
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    folded: Sequence[str] = ()
    rightwards: bool = False

    @property
    def looks(self) -> list[Look]:
        """The looks that occur, in the order of the legend."""
        present = {node.look for node in self.nodes}
        return [look for look in Look if look in present]

    @property
    def styles(self) -> list[LinkStyle]:
        """The styles of links that occur, in the order of the legend."""
        present = {edge.style for edge in self.edges}
        return [style for style in (*LINKS.values(), VOID, CIRCLE) if style in present]

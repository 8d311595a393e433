"""Which memory replaces which: a pure function of the row number.

Because every row can be worked out alone, a corpus of any size is written in
constant memory and in any order.
"""

from dataclasses import dataclass

# One group of 20 rows: chains of two, three and five, a fork, seven rows that stand alone.
PARENTS = (None, 0, None, 2, 3, None, 5, 6, 7, 8, None, 10, 10, *(None,) * 7)
GROUP = len(PARENTS)
LINKS_IN_GROUP = sum(parent is not None for parent in PARENTS)
SPARE = 13  # the first row that stands alone; the next one replaces it where more links are wanted
FIRST_CHILD = {parent: child for child, parent in reversed(list(enumerate(PARENTS))) if parent is not None}
MISSING = -1


@dataclass(frozen=True)
class Layout:
    """Where chains, circles, orphans and groups lie among `count` rows."""

    count: int
    chain: int
    circles: tuple[tuple[int, int], ...]  # (first row, length)
    orphans: range
    groups: int
    paired: int  # groups whose first two spare rows form one more chain

    @property
    def links(self) -> int:
        """The number of rows that name a predecessor."""
        circled = sum(length for _, length in self.circles)
        return max(self.chain - 1, 0) + circled + len(self.orphans) + self.groups * LINKS_IN_GROUP + self.paired

    def predecessor(self, row: int) -> int | None:
        """The row that this one replaces; MISSING for one that is not in the corpus."""
        if row < self.chain:
            return row - 1 if row else None
        if row < self.orphans.start:
            first, length = self._circle(row)
            return first + (row - first - 1) % length
        if row < self.orphans.stop:
            return MISSING
        member, group = self._member(row)
        if member is None:
            return None
        parent = SPARE if member == SPARE + 1 and group < self.paired else PARENTS[member]
        return None if parent is None else self.orphans.stop + parent * self.groups + group

    def successor(self, row: int) -> int | None:
        """The first row that replaces this one."""
        if row < self.chain:
            return row + 1 if row + 1 < self.chain else None
        if row < self.orphans.start:
            first, length = self._circle(row)
            return first + (row - first + 1) % length
        if row < self.orphans.stop:
            return None
        member, group = self._member(row)
        if member is None:
            return None
        child = SPARE + 1 if member == SPARE and group < self.paired else FIRST_CHILD.get(member)
        return None if child is None else self.orphans.stop + child * self.groups + group

    def _circle(self, row: int) -> tuple[int, int]:
        return next((first, length) for first, length in self.circles if first <= row < first + length)

    def _member(self, row: int) -> tuple[int | None, int]:
        # Member by member, not group by group: in a real export a memory and its successor are far apart.
        member, group = divmod(row - self.orphans.stop, self.groups) if self.groups else (GROUP, 0)
        return (member if member < GROUP else None), group


def mixed(count: int) -> Layout:
    """47.5 % of the rows replace another; one chain of 2 %, 0.1 % orphans, up to 50 circles."""
    chain = count // 50
    circles = []
    first = chain
    for number in range(min(50, count // 200)):
        length = 2 + number % 4
        circles.append((first, length))
        first += length
    orphans = range(first, first + count // 1000)
    groups = (count - orphans.stop) // GROUP
    bare = Layout(count, chain, tuple(circles), orphans, groups, paired=0)
    paired = min(max(round(count * 0.475) - bare.links, 0), groups)
    return Layout(count, chain, tuple(circles), orphans, groups, paired)


def one_chain(count: int) -> Layout:
    """Every row replaces the one before it."""
    return Layout(count, count, (), range(count, count), groups=0, paired=0)

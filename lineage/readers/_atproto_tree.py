"""A repository of the AT Protocol in a CAR file: its signed commit, and the search tree of its records."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from lineage.errors import InputError
from lineage.readers._atproto_uri import is_did
from lineage.readers._car import Archive, Cid

_KEY = re.compile(rb"[A-Za-z0-9._:~-]+/[A-Za-z0-9._:~-]+")
_LONGEST_KEY = 1024

# A record and its key (`<collection>/<rkey>`), or a node of the tree and None.
Step = tuple[bytes | None, Cid]


class Repository(Archive):
    """A repository: the `did` it belongs to, and its records.

    The root must be a signed commit. The signature itself is not verified:
    the key that made it is not in the file, and only the network knows it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        commit = self.map(self.root, "root")
        if commit is None:
            raise InputError(f"the root {self.text(self.root)} is not in the file")
        signature, version = commit.get("sig"), commit.get("version")
        signed = type(signature) is bytes and signature and type(version) is int and version in (2, 3)
        if not signed or not is_did(commit.get("did")) or type(commit.get("data")) is not Cid:
            raise InputError(f"the root {self.text(self.root)} is not a signed commit of a repository")
        self.did = cast(str, commit["did"])
        self._top = cast(Cid, commit["data"])

    def entries(self) -> Iterator[Step]:
        """The records from the least key to the greatest, and the nodes that the file does not hold."""
        latest = b""
        seen: set[bytes] = set()
        path: list[Iterator[Step]] = [iter([(None, self._top)])]
        while path:
            for entry in path[-1]:
                key, cid = entry
                if key:
                    if key <= latest:
                        raise InputError(f"the record {self.text(cid)} is out of order in the search tree")
                    latest = key
                    yield entry
                    continue
                # Keys grow along the tree, so no node stands in it twice; in a crafted one it could, endlessly.
                if cid in seen:
                    raise InputError(f"the node {self.text(cid)} stands in the search tree twice")
                seen.add(cid)
                node = self.map(cid, "node")
                if node is not None:
                    path.append(iter(self._steps(node, cid)))
                    break
                yield entry
            else:
                path.pop()

    def _steps(self, node: dict[str, Any], cid: bytes) -> list[Step]:
        """What lies right below a node, in the order of keys."""
        entries, below = node.get("e"), node.get("l")
        steps: list[Step] = []
        key, slash = b"", 0
        try:
            if type(entries) is not list:
                raise TypeError
            if below is not None:
                steps.append((None, _link(below)))
            for entry in entries:
                shared, rest, record, below = entry["p"], entry["k"], entry["v"], entry["t"]
                if type(shared) is not int or not 0 <= shared <= len(key) <= _LONGEST_KEY:
                    raise TypeError
                key = key[:shared] + rest
                # What changes only behind the slash can be judged by itself.
                if shared <= slash or not rest.isalnum():
                    if not _KEY.fullmatch(key):
                        raise TypeError
                    slash = key.index(b"/")
                if type(record) is not Cid:
                    raise TypeError
                steps.append((key, record))
                if below is not None:
                    steps.append((None, _link(below)))
        except (KeyError, TypeError) as error:
            raise InputError(f"the node {self.text(cid)} of the search tree is malformed") from error
        return steps


def _link(value: object) -> Cid:
    if type(value) is not Cid:
        raise TypeError
    return value

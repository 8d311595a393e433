"""Small AT Protocol repositories, made block by block, for tests and benchmarks."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from cbrrr import CID, encode_dag_cbor

DID = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
MEMORY = "dev.bastienrobert.memory.record"


def varint(number: int) -> bytes:
    """An unsigned LEB128 number."""
    found = bytearray()
    while number >= 0x80:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def frame(cid: CID, block: bytes) -> bytes:
    """A block as it stands in a CAR file."""
    return varint(36 + len(block)) + cid.cid_bytes + block


def header(roots: Iterable[CID], version: int = 1) -> bytes:
    """The beginning of a CAR file."""
    block = encode_dag_cbor({"roots": list(roots), "version": version})
    return varint(len(block)) + block


class Repo:
    """Blocks by CID, and the commit over them once `commit` was called."""

    def __init__(self, did: str = DID) -> None:
        self.did = did
        self.blocks: dict[CID, bytes] = {}
        self.root = CID(b"")
        self.data = CID(b"")
        self.records: dict[str, CID] = {}
        self.nodes: list[CID] = []

    def add(self, value: Any, *, json: bool = False) -> CID:
        """Keep the value as a block; `json` reads `$link` and `$bytes` in it."""
        return self.add_block(encode_dag_cbor(value, atjson_mode=json))

    def add_block(self, block: bytes) -> CID:
        """Keep these bytes as a block, whatever they are."""
        cid = CID.cidv1_dag_cbor_sha256_32_from(block)
        self.blocks[cid] = block
        return cid

    def put(self, key: str, value: Mapping[str, Any]) -> CID:
        """Keep a record under `<collection>/<rkey>`."""
        self.records[key] = self.add(dict(value), json=True)
        return self.records[key]

    def commit(self, **changes: Any) -> "Repo":
        """Build the search tree and the commit over it, some of whose fields may be changed."""
        items = sorted((key.encode(), cid) for key, cid in self.records.items())
        self.data = self._node(items, max((_layer(key) for key, _ in items), default=0))
        fields = {
            "did": self.did,
            "version": 3,
            "data": self.data,
            "rev": "3l4aaaaaaaa22",
            "prev": None,
            "sig": b"s" * 64,
        }
        self.root = self.add({key: value for key, value in (fields | changes).items() if value != "absent"})
        return self

    def car(self, *, without: Iterable[CID] = ()) -> bytes:
        """The repository as a CAR file, its commit first."""
        left_out = set(without)
        order = [self.root, *(cid for cid in self.blocks if cid != self.root)]
        return header([self.root]) + b"".join(frame(cid, self.blocks[cid]) for cid in order if cid not in left_out)

    def _node(self, items: list[tuple[bytes, CID]], layer: int) -> CID:
        groups: list[list[tuple[bytes, CID]]] = [[]]
        own = []
        for item in items:
            if _layer(item[0]) == layer:
                own.append(item)
                groups.append([])
            else:
                groups[-1].append(item)
        below = [self._node(group, layer - 1) if group else None for group in groups]
        entries, before = [], b""
        for (key, cid), right in zip(own, below[1:], strict=True):
            shared = _shared(before, key)
            entries.append({"p": shared, "k": key[shared:], "v": cid, "t": right})
            before = key
        self.nodes.append(self.add({"l": below[0], "e": entries}))
        return self.nodes[-1]


def _layer(key: bytes) -> int:
    bits = f"{int.from_bytes(sha256(key).digest()):0256b}"
    return (len(bits) - len(bits.lstrip("0"))) // 2


def _shared(one: bytes, two: bytes) -> int:
    count = 0
    while count < min(len(one), len(two)) and one[count] == two[count]:
        count += 1
    return count

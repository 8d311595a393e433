"""An AT Protocol repository as a CAR v1 file: records, their Merkle search tree, and a commit.

Every block is DAG-CBOR under its own sha-256 CID and the tree is the one a
server would build; only the commit's signature is made up.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO

import cbor2
from words import story

COLLECTION = "dev.bastienrobert.memory.record"
DID = "did:plc:w4xbfzo7kqfes5zb7r6qv3rw"
START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
CID_LINK = 42
DIGITS = "234567abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Entry:
    """One key of the tree; `layer` is how far up its node lies."""

    key: bytes
    cid: bytes
    layer: int


def write_car(out: BinaryIO, count: int, seed: int) -> None:
    """Write a repository of `count` memory records."""
    # The commit stands first and names the tree, so the records are told twice: once for their CIDs, once to write.
    entries = [_entry(key, block) for key, block in _records(count, seed)]
    nodes: list[bytes] = []
    tree = _tree(entries, max((entry.layer for entry in entries), default=0), nodes)
    commit = _encode(
        {
            "did": DID,
            "version": 3,
            "data": _link(tree),
            "rev": _tid(count),
            "prev": None,
            "sig": hashlib.sha512(tree).digest(),
        }
    )
    header = _encode({"version": 1, "roots": [_link(_cid(commit))]})
    out.write(_varint(len(header)) + header)
    for block in (commit, *reversed(nodes)):
        _write_block(out, block)
    for _, block in _records(count, seed):
        _write_block(out, block)


def _records(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    key = seed.to_bytes(8, "little")
    for number in range(count):
        dice = hashlib.blake2b(number.to_bytes(8, "little"), key=key, digest_size=32).digest()
        yield f"{COLLECTION}/{_tid(number)}", _encode(_value(number, dice))


def _value(number: int, dice: bytes) -> dict[str, Any]:
    told = story(dice)
    value: dict[str, Any] = {
        "$type": COLLECTION,
        "kind": ("fact", "preference", "decision", "context")[dice[20] & 3],
        "scope": told.place,
        "content": f"{told.decision}. {told.rationale}.",
        "createdAt": (START + timedelta(seconds=60 * number)).isoformat(timespec="milliseconds")[:23] + "Z",
        "provenance": {"agent": "claude-code", "client": "https://memories.example/client.json"},
    }
    # Chains of up to five, and one merge in fifty.
    older = [number - 1] if number % 5 and dice[21] < 128 else []
    if number > 50 and number % 50 == 0:
        older = [number - 7, number - 23]
    if older:
        value["supersedes"] = [f"at://{DID}/{COLLECTION}/{_tid(each)}" for each in older]
    return value


def _entry(key: str, block: bytes) -> Entry:
    encoded = key.encode()
    zeros = 256 - int.from_bytes(hashlib.sha256(encoded).digest(), "big").bit_length()
    return Entry(encoded, _cid(block), zeros // 2)


def _tree(entries: Sequence[Entry], layer: int, nodes: list[bytes]) -> bytes:
    """Write the node of these entries and all below it; its CID."""
    leftmost = None
    items: list[dict[str, Any]] = []
    below: list[Entry] = []
    previous = b""

    def subtree() -> Any:
        return _link(_tree(below, layer - 1, nodes)) if below else None

    for entry in entries:
        if entry.layer < layer:
            below.append(entry)
            continue
        if items:
            items[-1]["t"] = subtree()
        else:
            leftmost = subtree()
        below = []
        shared = _shared(previous, entry.key)
        items.append({"p": shared, "k": entry.key[shared:], "v": _link(entry.cid), "t": None})
        previous = entry.key
    if items:
        items[-1]["t"] = subtree()
    else:
        leftmost = subtree()
    node = _encode({"l": leftmost, "e": items})
    nodes.append(node)
    return _cid(node)


def _shared(one: bytes, other: bytes) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return length


def _tid(number: int) -> str:
    stamp = int((START + timedelta(seconds=60 * number)).timestamp()) * 1_000_000 << 10 | 23
    return "".join(DIGITS[stamp >> shift & 31] for shift in range(60, -1, -5))


def _encode(value: Any) -> bytes:
    return cbor2.dumps(value, canonical=True)


def _cid(block: bytes) -> bytes:
    return b"\x01\x71\x12\x20" + hashlib.sha256(block).digest()


def _link(cid: bytes) -> cbor2.CBORTag:
    return cbor2.CBORTag(CID_LINK, b"\x00" + cid)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _write_block(out: BinaryIO, block: bytes) -> None:
    cid = _cid(block)
    out.write(_varint(len(cid) + len(block)) + cid + block)

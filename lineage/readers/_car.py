"""Repositories of the AT Protocol in CAR files (version 1), every block checked against its hash.

The file is held in memory as it is, with a number for each of its blocks;
records are decoded one after another and not kept.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, cast

from lineage.errors import InputError, MissingExtra
from lineage.readers._atproto_uri import is_did

UNREADABLE = object()

_CID_SIZE = 36
# CID version 1, DAG-CBOR and raw bytes, sha-256 of 32 bytes.
_DAG_CBOR = b"\x01\x71\x12\x20"
_CID_PREFIXES = (_DAG_CBOR, b"\x01\x55\x12\x20")
_LINK = b"\xd8\x2a\x58\x25\x00"
_HEADERS = (b"\xa2eroots", b"\xa2gversion", b"\xa1gversion")
_LONGEST_HEADER = 1 << 16
_LONGEST_NUMBER = 9
_LONGEST_KEY = 1024
_PART = re.compile(rb"[A-Za-z0-9._:~-]+")
# An index entry is one number, far smaller than a pair: where the block begins, then its length.
_LENGTH_BITS = 40
_LENGTH_MASK = (1 << _LENGTH_BITS) - 1


class Cid(bytes):
    """A link to a block, as its 36 bytes, told apart from bytes that are data."""

    __slots__ = ()


class Entry(NamedTuple):
    """A record of the repository; `block` is None where the file does not hold it."""

    rkey: str
    cid: bytes
    block: bytes | None


class Other(NamedTuple):
    """A record of a collection that was not asked for."""

    collection: str


class Gap(NamedTuple):
    """A part of the search tree that the file does not hold."""

    cid: bytes


class Repository:
    """A repository in a CAR file: its `did`, and its records of one collection.

    Opening it checks the hash of every block, and that the root is a signed
    commit; `InputError` says what is wrong with a file that cannot be trusted.
    The signature itself is not verified: the key that made it is not in the
    file, and only the network knows it.
    """

    def __init__(self, path: Path) -> None:
        self._decode = _decoder()
        try:
            self._data = path.read_bytes()
        except OSError as error:
            raise InputError((error.strerror or str(error)).lower()) from error
        root, position = _header(self._data, self._decode)
        self._index = _index(self._data, position)
        commit = self._map(root, "root")
        if commit is None:
            raise InputError(f"the root {cid_text(root)} is not in the file")
        signature, version = commit.get("sig"), commit.get("version")
        signed = type(signature) is bytes and signature and type(version) is int and version in (2, 3)
        if not signed or not is_did(commit.get("did")) or type(commit.get("data")) is not Cid:
            raise InputError(f"the root {cid_text(root)} is not a signed commit of a repository")
        self.did = cast(str, commit["did"])
        self._top = cast(Cid, commit["data"])

    def records(self, collection: str) -> Iterator[Entry | Other | Gap]:
        """The records in the order of their keys, and the gaps of a partial repository."""
        begin = collection.encode() + b"/"
        width = len(begin)
        for key, cid in self._walk():
            if key is None:
                yield Gap(cid)
            elif key.startswith(begin):
                rkey = key[width:]
                if not rkey.isalnum() and not _PART.fullmatch(rkey):
                    raise InputError(f"the record {cid_text(cid)} has the malformed key {key!r:.80}")
                yield Entry(rkey.decode("ascii"), cid, self._block(cid))
            else:
                name, slash, rkey = key.partition(b"/")
                if not slash or not _PART.fullmatch(name) or not _PART.fullmatch(rkey):
                    raise InputError(f"the record {cid_text(cid)} has the malformed key {key!r:.80}")
                yield Other(name.decode("ascii"))

    def json(self, block: bytes) -> Any:
        """A block as JSON, links as `$link` and bytes as `$bytes`; `UNREADABLE` where it is not DAG-CBOR."""
        try:
            return self._decode(block, True)
        except ValueError:
            pass
        # The quick way knows no floats: they have no place in a record, and are kept all the same.
        try:
            return _jsonable(self._decode(block, False, Cid))
        except (ValueError, RecursionError):
            return UNREADABLE

    def texts(self, cids: Sequence[bytes]) -> list[str]:
        """CIDs as they are written; the same as `cid_text` of each, and quicker for many."""
        links = b"".join([_LINK + cid for cid in cids])
        head = b"\x9a" + len(cids).to_bytes(4, "big")
        return [link["$link"] for link in self._decode(head + links, True)]

    def _block(self, cid: bytes) -> bytes | None:
        place = self._index.get(cid)
        if place is None:
            return None
        begin = place >> _LENGTH_BITS
        return self._data[begin : begin + (place & _LENGTH_MASK)]

    def _map(self, cid: bytes, what: str) -> dict[str, Any] | None:
        block = self._block(cid)
        if block is None:
            return None
        try:
            value = self._decode(block, False, Cid)
        except ValueError as error:
            raise InputError(f"the {what} {cid_text(cid)} is not DAG-CBOR: {error}") from error
        if not isinstance(value, dict):
            raise InputError(f"the {what} {cid_text(cid)} is not a map")
        return value

    def _walk(self) -> Iterator[tuple[bytes | None, Cid]]:
        """Each record as (key, CID), from the least key to the greatest; each missing node as (None, CID)."""
        latest = b""
        seen: set[bytes] = set()
        path: list[Iterator[tuple[bytes | None, Cid]]] = [iter([(None, self._top)])]
        while path:
            for key, cid in path[-1]:
                if key is None:
                    # Keys grow along the tree, so no node stands in it twice; in a crafted one it could, endlessly.
                    if cid in seen:
                        raise InputError(f"the node {cid_text(cid)} stands in the search tree twice")
                    seen.add(cid)
                    node = self._map(cid, "node")
                    if node is None:
                        yield None, cid
                        continue
                    path.append(iter(_steps(node, cid)))
                    break
                if key <= latest:
                    raise InputError(f"the record {cid_text(cid)} is out of order in the search tree")
                latest = key
                yield key, cid
            else:
                path.pop()


def claims(head: bytes) -> bool:
    """Whether a file that begins like this is a CAR file, of whatever version."""
    for width, byte in enumerate(head[:_LONGEST_NUMBER], 1):
        if byte < 0x80:
            return head.startswith(_HEADERS, width)
    return False


def cid_text(cid: bytes) -> str:
    """A CID as it is written: base32 behind a `b`."""
    return "b" + base64.b32encode(cid).decode("ascii").lower().rstrip("=")


def _decoder() -> Any:
    try:
        from cbrrr import decode_dag_cbor
    except ImportError as error:
        raise MissingExtra("reading a CAR file needs cbrrr: pip install 'decision-lineage[car]'") from error
    return decode_dag_cbor


def _jsonable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _jsonable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_jsonable(item) for item in value]
    if isinstance(value, Cid):
        return {"$link": cid_text(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii").rstrip("=")}
    return value


def _header(data: bytes, decode: Any) -> tuple[bytes, int]:
    """The CID of the root, and where the blocks begin."""
    length, begin = _number(data, 0)
    if length > len(data) - begin:
        raise InputError("the file is cut short within its header")
    if length > _LONGEST_HEADER:
        raise InputError(f"a header of {length:,} bytes is too long for a CAR file")
    try:
        header = decode(data[begin : begin + length], False, Cid)
    except ValueError as error:
        raise InputError(f"the header of the CAR file is not DAG-CBOR: {error}") from error
    version = header.get("version") if isinstance(header, dict) else None
    if type(version) is not int or version != 1:
        raise InputError(f"the CAR file is of version {version!r:.20}; only version 1 is read")
    roots = header.get("roots")
    # The commit is the first; others may follow and mean nothing here.
    if not isinstance(roots, list) or not roots or type(roots[0]) is not Cid or not _is_cid(roots[0]):
        raise InputError("the header of the CAR file names no root")
    return roots[0], begin + length


def _number(data: bytes, position: int) -> tuple[int, int]:
    """The unsigned LEB128 number at a position, and where it ends."""
    value = 0
    for place, byte in enumerate(data[position : position + _LONGEST_NUMBER]):
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            if place and not byte:
                break
            return value, position + place + 1
    else:
        if len(data) - position < _LONGEST_NUMBER:
            raise InputError(f"the file is cut short within the length at byte {position:,}")
    raise InputError(f"the length at byte {position:,} is malformed")


def _index(data: bytes, position: int) -> dict[bytes, int]:
    """Where each block lies, by its CID; the hash of each is checked."""
    size = len(data)
    view = memoryview(data)
    index: dict[bytes, int] = {}
    while position < size:
        length, begin = data[position], position + 1
        if length >= 0x80:
            following = data[begin] if begin < size else 0
            # Nearly every block is of a length that two bytes hold.
            if 0 < following < 0x80:
                length, begin = length & 0x7F | following << 7, begin + 1
            else:
                length, begin = _number(data, position)
        end = begin + length
        if end > size:
            raise InputError(f"the file is cut short within the block at byte {position:,}")
        body = begin + _CID_SIZE
        cid = data[begin : min(body, end)]
        if _DAG_CBOR + sha256(view[body:end]).digest() != cid:
            _check(cid, view[body:end], position)
        index[cid] = body << _LENGTH_BITS | (end - body)
        position = end
    return index


def _check(cid: bytes, block: memoryview, position: int) -> None:
    """Raise for a block without a usable CID, and for one that is not what its CID says."""
    if not _is_cid(cid):
        raise InputError(f"the block at byte {position:,} has no CID of version 1 with a sha-256 hash")
    if sha256(block).digest() != cid[4:]:
        raise InputError(f"the block {cid_text(cid)} at byte {position:,} does not match its hash: it was altered")


def _is_cid(cid: bytes) -> bool:
    return len(cid) == _CID_SIZE and cid.startswith(_CID_PREFIXES)


def _steps(node: dict[str, Any], cid: bytes) -> list[tuple[bytes | None, Cid]]:
    """What lies below a node in the order of keys: records as (key, CID), further nodes as (None, CID)."""
    entries, below = node.get("e"), node.get("l")
    steps: list[tuple[bytes | None, Cid]] = []
    key = b""
    try:
        if type(entries) is not list:
            raise TypeError
        if below is not None:
            steps.append((None, _link(below)))
        for entry in entries:
            shared, rest = entry["p"], entry["k"]
            if type(shared) is not int or type(rest) is not bytes or not 0 <= shared <= len(key):
                raise TypeError
            key = key[:shared] + rest
            if len(key) > _LONGEST_KEY:
                raise TypeError
            steps.append((key, _link(entry["v"])))
            below = entry.get("t")
            if below is not None:
                steps.append((None, _link(below)))
    except (KeyError, TypeError) as error:
        raise InputError(f"the node {cid_text(cid)} of the search tree is malformed") from error
    return steps


def _link(value: object) -> Cid:
    if type(value) is not Cid:
        raise TypeError
    return value

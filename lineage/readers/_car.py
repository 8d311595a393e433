"""CAR files (version 1): blocks of DAG-CBOR by their hash, each checked against it.

The file is held in memory as it is, with one number for each of its blocks;
what a block holds is decoded when it is asked for, and not kept.
"""

import base64
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from lineage.errors import InputError, MissingExtra

UNREADABLE = object()

_CID_SIZE = 36
# CID version 1, of DAG-CBOR or of raw bytes, sha-256 of 32 bytes.
_DAG_CBOR = b"\x01\x71\x12\x20"
_CID_PREFIXES = (_DAG_CBOR, b"\x01\x55\x12\x20")
_LINK = b"\xd8\x2a\x58\x25\x00"
_PAIR = b"\x82" + _LINK
_HEADERS = (b"\xa2eroots", b"\xa2gversion", b"\xa1gversion")
_LONGEST_HEADER = 1 << 16
_LONGEST_NUMBER = 9
# An index entry is one number, far smaller than a pair: where a block's CID begins, and where the block ends.
_BITS = 48
_MASK = (1 << _BITS) - 1


class Cid(bytes):
    """A link to a block, as its bytes, told apart from bytes that are data."""

    __slots__ = ()


class Archive:
    """The blocks of a CAR file by their CID, and the CID of its `root`.

    Opening it checks the hash of every block. `InputError` says what is wrong
    with a file that cannot be trusted or read as a whole.
    """

    def __init__(self, path: Path) -> None:
        self._decode = _decoder()
        try:
            self._data = path.read_bytes()
        except OSError as error:
            raise InputError((error.strerror or str(error)).lower()) from error
        self._index: dict[bytes, int] = {}
        self.root, position = self._header()
        self._check(position)

    def block(self, cid: bytes) -> bytes | None:
        """The bytes of a block; None where the file does not hold it."""
        place = self._index.get(cid)
        return None if place is None else self._data[(place >> _BITS) + _CID_SIZE : place & _MASK]

    def map(self, cid: bytes, what: str) -> dict[str, Any] | None:
        """A block that must be a map, its links as `Cid`; None where the file does not hold it."""
        block = self.block(cid)
        if block is None:
            return None
        try:
            value = self._decode(block, False, Cid)
        except ValueError as error:
            raise InputError(f"the {what} {self.text(cid)} is not DAG-CBOR: {error}") from error
        if not isinstance(value, dict):
            raise InputError(f"the {what} {self.text(cid)} is not a map")
        return value

    def json(self, cid: bytes) -> Any:
        """A block and its CID as [`$link`, JSON], bytes as `$bytes`; None where the file does not hold it.

        The JSON is `UNREADABLE` where the block is not DAG-CBOR.
        """
        place = self._index.get(cid)
        if place is None:
            return None
        # The CID stands right before the block, so that a few bytes make a list of the two.
        try:
            return self._decode(_PAIR + self._data[place >> _BITS : place & _MASK], True)
        except ValueError:
            return [{"$link": self.text(cid)}, self._json_slowly(cast(bytes, self.block(cid)))]

    def _json_slowly(self, block: bytes) -> Any:
        """As JSON with floats, of which the quick way knows nothing: a record must not have any, and may."""
        try:
            return self._jsonable(self._decode(block, False, Cid))
        except (ValueError, RecursionError):
            return UNREADABLE

    def text(self, cid: bytes) -> str:
        """A CID as it is written."""
        try:
            return cast(str, self._decode(_LINK + cid, True)["$link"])
        except ValueError:
            return cid.hex()

    def _jsonable(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._jsonable(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._jsonable(item) for item in value]
        if isinstance(value, Cid):
            return {"$link": self.text(value)}
        if isinstance(value, bytes):
            return {"$bytes": base64.b64encode(value).decode("ascii").rstrip("=")}
        return value

    def _header(self) -> tuple[Cid, int]:
        """The CID of the root, and where the blocks begin."""
        length, begin = _number(self._data, 0)
        if length > len(self._data) - begin:
            raise InputError("the file is cut short within its header")
        if length > _LONGEST_HEADER:
            raise InputError(f"a header of {length:,} bytes is too long for a CAR file")
        try:
            header = self._decode(self._data[begin : begin + length], False, Cid)
        except ValueError as error:
            raise InputError(f"the header of the CAR file is not DAG-CBOR: {error}") from error
        version = header.get("version") if isinstance(header, dict) else None
        if type(version) is not int or version != 1:
            raise InputError(f"the CAR file is of version {version!r:.20}; only version 1 is read")
        roots = header.get("roots")
        # The first root is the one that counts; more may follow it.
        if not isinstance(roots, list) or not roots or type(roots[0]) is not Cid:
            raise InputError("the header of the CAR file names no root")
        return roots[0], begin + length

    def _check(self, position: int) -> None:
        """Check the hash of each block from `position` on, and note where it lies."""
        data, index, size = self._data, self._index, len(self._data)
        while position < size:
            start = position
            length, begin = data[start], start + 1
            if length >= 0x80:
                following = data[begin] if begin < size else 0
                # Nearly every block is of a length that two bytes hold.
                if 0 < following < 0x80:
                    length, begin = length & 0x7F | following << 7, begin + 1
                else:
                    length, begin = _number(data, start)
            body, position = begin + _CID_SIZE, begin + length
            if position > size:
                raise InputError(f"the file is cut short within the block at byte {start:,}")
            cid = data[begin:body]
            if cid != _DAG_CBOR + sha256(data[body:position]).digest() or body > position:
                self._check_slowly(data[begin : min(body, position)], data[body:position], start)
            index[cid] = begin << _BITS | position

    def _check_slowly(self, cid: bytes, block: bytes, position: int) -> None:
        """Raise for a block that has no usable CID, or is not what its CID says."""
        if len(cid) != _CID_SIZE or not cid.startswith(_CID_PREFIXES):
            raise InputError(f"the block at byte {position:,} has no CID of version 1 with a sha-256 hash")
        if sha256(block).digest() != cid[4:]:
            raise InputError(f"the block {self.text(cid)} at byte {position:,} does not match its hash: it was altered")


def claims(head: bytes) -> bool:
    """Whether a file that begins like this is a CAR file, of whatever version."""
    for width, byte in enumerate(head[:_LONGEST_NUMBER], 1):
        if byte < 0x80:
            return head.startswith(_HEADERS, width)
    return False


def _decoder() -> Any:
    try:
        from cbrrr import decode_dag_cbor
    except ImportError as error:
        raise MissingExtra("reading a CAR file needs cbrrr: pip install 'decision-lineage[car]'") from error
    return decode_dag_cbor


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

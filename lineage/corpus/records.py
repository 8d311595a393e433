"""Bytes to JSON records: lines, arrays and single documents, strictly and without loss."""

import json
import math
import re
from collections.abc import Iterator
from io import RawIOBase
from typing import Any, BinaryIO, cast

import msgspec

from lineage.errors import InputError

Buffer = bytes | memoryview | msgspec.Raw
"""What msgspec decodes from."""

BOM = b"\xef\xbb\xbf"
BLOCK = 1 << 20
_SURROGATE = re.compile("[\ud800-\udfff]")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_JSON_BEGINS = re.compile(rb'\s*(\{\s*(["}]|$)|\[\s*([{"\[\]]|$|[a-z0-9.eE+-]+\s*[,\]]))')
_BETWEEN = b" \t\r\n,"
_decode = msgspec.json.Decoder().decode
_decode_array = msgspec.json.Decoder(list[msgspec.Raw]).decode


class NotJson(ValueError):
    """Some bytes are not one JSON value; `str()` says why."""


def value_of(data: Buffer) -> tuple[Any, bool]:
    """The JSON value of some bytes, and whether half of a surrogate pair in it was made U+FFFD.

    Raises `NotJson`. Stricter than most decoders: no NaN, no invalid UTF-8
    anywhere, no number that a float cannot hold.
    """
    try:
        return _decode(data), False
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except ValueError:
        value = _slow_value(bytes(data))
    return (mended(value), True) if has_surrogates(value) else (value, False)


def _slow_value(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 (byte {error.start + 1})") from None
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise NotJson(f"not JSON: {error.msg.lower()} ({place})") from None
    except ValueError:
        raise NotJson("not JSON: a number too long to read") from None


def _no_constant(name: str) -> None:
    raise NotJson(f"not JSON: {name} is no JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise NotJson(f"a number too large to hold ({text[:20]})")
    return value


def has_surrogates(value: Any) -> bool:
    """Whether a string somewhere in a JSON value holds half of a surrogate pair."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if _SURROGATE.search(item):
                return True
        elif isinstance(item, dict):
            pending += item.keys()
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return False


def mended(value: Any) -> Any:
    """A JSON value with every half surrogate pair replaced by U+FFFD."""
    return json.loads(_SURROGATE.sub("�", json.dumps(value, ensure_ascii=False)))


def blocks(stream: BinaryIO, end: int | None = None, size: int = BLOCK) -> Iterator[memoryview]:
    """The stream (its next `end` bytes) in blocks of whole lines, each ending with a newline but perhaps the last.

    A block is valid until the next one is asked for. Where the stream breaks
    off (a damaged archive), what came before is given out first and then the
    `InputError` is raised.
    """
    readinto = cast(RawIOBase, stream).readinto
    buffer = bytearray(size)
    held = 0
    left = end if end is not None else -1
    while True:
        if held == len(buffer):
            buffer = buffer + bytearray(len(buffer))
        view = memoryview(buffer)
        room = len(buffer) - held
        try:
            count = readinto(view[held : held + (room if left < 0 else min(room, left))])
        except InputError:
            if held:
                yield view[:held]
            raise
        if not count:
            break
        left -= count if left >= 0 else 0
        cut = buffer.rfind(b"\n", held, held + count) + 1
        held += count
        if cut:
            yield view[:cut]
            buffer[: held - cut] = view[cut:held]
            held -= cut
    if held:
        yield view[:held]


def looks_like_array(head: bytes) -> bool:
    """Whether a file that begins so is one JSON array."""
    return head.removeprefix(BOM).lstrip().startswith(b"[")


def begins_like_json(head: bytes) -> bool:
    """Whether a file that begins so may hold JSON objects or arrays."""
    return _JSON_BEGINS.match(head.removeprefix(BOM)) is not None


def looks_binary(head: bytes) -> bool:
    """Whether a file that begins so is no text at all, or text of another encoding."""
    text = head.removeprefix(BOM).lstrip()
    return b"\0" in head and not text.startswith((b"{", b"["))


def looks_like_document(head: bytes) -> bool:
    """Whether a file that begins so is one JSON object over several lines."""
    text = head.removeprefix(BOM).lstrip()
    first, newline, _ = text.partition(b"\n")
    return bool(newline) and first.rstrip().endswith((b"{", b"[", b",")) and first.startswith(b"{")


def whole_array(data: bytes) -> list[msgspec.Raw] | None:
    """The elements of a file that is one sound JSON array, else None."""
    try:
        return _decode_array(data)
    except (ValueError, RecursionError):
        return None


def begins_with_line(data: bytes) -> bool:
    """Whether the first line is a JSON value of its own, and so probably every line."""
    first, newline, rest = data.partition(b"\n")
    return bool(newline) and not rest.isspace() and is_json(first)


def is_json(data: bytes) -> bool:
    """Whether some bytes are one JSON value."""
    try:
        value_of(data)
    except NotJson:
        return False
    return True


def loose_elements(data: bytes) -> Iterator[Buffer | NotJson]:
    """The records of JSON arrays and objects that follow each other; a damaged one costs only itself."""
    yield from _scanned(data, 0, inside=False)


def page_elements(data: bytes, key: str) -> Iterator[Buffer | NotJson]:
    """The elements of the list at `key` of an object that is damaged somewhere."""
    found = re.search(rb'"' + key.encode() + rb'"\s*:\s*\[', data)
    if found:
        yield from _scanned(data, found.end(), inside=True)


def _scanned(data: bytes, start: int, *, inside: bool) -> Iterator[bytes | NotJson]:
    """Records told apart by their brackets alone, strings passed over.

    `inside` an array at the start, it ends with that array.
    """
    depth, begin, only = 0, start, inside
    for token in _TOKEN.finditer(data, start):
        mark = token[0]
        if mark.startswith(b'"'):
            continue
        if depth == 0:
            between = data[begin : token.start()].strip(_BETWEEN)
            if between:
                yield between
            begin = token.start()
            if mark == b"[" and not inside:
                inside, begin = True, token.end()
                continue
            if mark == b"]":
                if only:
                    return
                inside, begin = False, token.end()
                continue
        depth += 1 if mark in (b"{", b"[") else -1
        if depth == 0:
            yield data[begin : token.end()]
            begin = token.end()
        depth = max(depth, 0)
    rest = data[begin:].strip(_BETWEEN)
    if depth:
        yield NotJson("the file ends in the middle of a record")
    elif rest:
        yield rest
    if inside and not depth:
        yield NotJson("the list is never closed")

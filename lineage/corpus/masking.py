"""Masking what must not be shown: credentials always, e-mail addresses where that is asked for.

Texts leave the corpus through `Corpus.texts_of`, and are masked there; what a
finding quotes of a record that could not be read passes through `masked_text`.
"""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import flags, joined, numbers, strings
from lineage.corpus.secrets import secrets_in, suspicious

_MASK = "[secret]"
_ADDRESS_MASK = "[e-mail]"

_ADDRESS = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z][A-Za-z0-9-]{0,62}(?![\w-])"
)
_MAY_BE_ADDRESS = r"[\pL\pN_.+%-]@[A-Za-z0-9-]+\."


def masked_text(text: str, *, addresses: bool = False) -> str:
    """A text with its credentials masked, and e-mail addresses where that is asked for."""
    parts, last = [], 0
    for secret in secrets_in(text):
        parts += [text[last : secret.begin], _MASK]
        last = secret.end
    masked = "".join([*parts, text[last:]])
    return _ADDRESS.sub(_ADDRESS_MASK, masked) if addresses else masked


def masked_table(table: pa.Table, *, addresses: bool = False) -> pa.Table:
    """A table of text columns with every text masked; the same table where there is nothing to mask."""
    for number, column in enumerate(table.schema):
        held = joined(table.column(number))
        masked = _masked(held, addresses=addresses)
        if masked is not held:
            table = table.set_column(number, column, masked)
    return table


def _masked(held: pa.Array, *, addresses: bool) -> pa.Array:
    """A column masked; of lists and structs the texts in them."""
    kind = held.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _masked_strings(held, addresses=addresses)
    if pa.types.is_list(kind):
        values = held.flatten()
        masked = _masked(values, addresses=addresses)
        if masked is values:
            return held
        lengths = pc.fill_null(pc.list_value_length(held), 0)
        offsets = np.concatenate([[0], np.cumsum(lengths.to_numpy(zero_copy_only=False))]).astype(np.int32)
        return pa.ListArray.from_arrays(numbers(offsets), masked)
    if pa.types.is_struct(kind):
        fields = [held.field(number) for number in range(kind.num_fields)]
        masked_fields = [_masked(one, addresses=addresses) for one in fields]
        if all(masked is field for masked, field in zip(masked_fields, fields, strict=True)):
            return held
        return pa.StructArray.from_arrays(masked_fields, [field.name for field in kind])
    return held


def _masked_strings(held: pa.Array, *, addresses: bool) -> pa.Array:
    doubtful: NDArray[np.bool_] = suspicious(held)
    if addresses:
        doubtful |= flags(pc.match_substring_regex(held, pattern=_MAY_BE_ADDRESS))
    if not doubtful.any():
        return held
    at = np.flatnonzero(doubtful)
    before = held.take(numbers(at)).to_pylist()
    after = [masked_text(text, addresses=addresses) for text in before]
    if after == before:
        return held
    order = np.arange(len(held))
    order[at] = len(held) + np.arange(len(at))
    return pa.concat_arrays([held, strings(after).cast(held.type)]).take(numbers(order))

"""A DataFrame as an input."""

import io
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

if TYPE_CHECKING:
    import pandas as pd

_PAIRS = {"tags": ("key", "value"), "rejected": ("option", "reason")}
_DECIDED = frozenset({"line", "source", "status", "lineage", "generation"})


def lines_of(frame: "pd.DataFrame") -> BinaryIO:
    """A DataFrame with columns of the memories table as lines of this project's own format."""
    import pandas as pd

    lines = []
    for row in frame.astype(object).to_dict("records"):
        record: dict[str, Any] = {"format": "lineage-memory/v1"}
        for key, value in row.items():
            if not known(value) or key in _DECIDED:
                continue
            if key == "supersedes":
                targets = value if isinstance(value, list) else [value]
                record["links"] = [{"kind": "supersedes", "target": str(name), "via": "supersedes"} for name in targets]
            elif key == "extra":
                record[key] = msgspec.json.decode(value) if isinstance(value, str) else value
            else:
                pair = _PAIRS.get(str(key))
                plain = value.isoformat() if isinstance(value, pd.Timestamp) else value
                record["of" if key == "format" else str(key)] = (
                    [dict(zip(pair, item, strict=True)) for item in plain] if pair else plain
                )
        lines.append(msgspec.json.encode(record, enc_hook=str))
    stream = io.BytesIO(b"\n".join(lines))
    stream.name = "<DataFrame>"
    return stream


def known(value: Any) -> bool:
    """Whether a cell holds a value: no None, NaN, NaT, NA or empty list."""
    import pandas as pd

    return bool(value) if isinstance(value, list) else not pd.isna(value)

"""This project's own JSONL (`lineage-memory/v1`): every column and the resolved links, one memory a line."""

from lineage.readers._own_record import read, sniff, write
from lineage.readers.base import Reader

READER = Reader(
    name="lineage",
    signs="an object whose `format` begins with lineage-memory/",
    about="this project's own JSONL, columns and resolved links (lineage-memory/v1)",
    sniff=sniff,
    read=read,
    write=write,
    everything=True,
)

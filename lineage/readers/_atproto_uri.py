"""Record URIs of the AT Protocol, and the trust boundary each of them lies in."""

import re
from functools import lru_cache

COLLECTION = "dev.bastienrobert.memory.record"
SCHEMES = ("at://", "ats://")

# Where the collection stands among the parts between slashes, which also count the scheme's own.
_COLLECTION_AT = {"at:": 3, "ats:": 6}
_ANY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_PLAIN = re.compile(r"ats?://[^/?#\s]+(?:/[^?#\s]*)?")
_DID = re.compile(r"did:[a-z]+:[^/?#\s]+")
_CUT = re.compile(r"[?#].*", re.DOTALL)


@lru_cache(maxsize=1024)  # a repository names the same few clients in all of its records
def is_uri(text: str) -> bool:
    """Whether this is a URI of any scheme."""
    return _ANY.fullmatch(text) is not None


def is_did(text: object) -> bool:
    """Whether this is a decentralised identifier, which alone can own a repository."""
    return isinstance(text, str) and _DID.fullmatch(text) is not None


def is_at_uri(text: str) -> bool:
    """Whether this is an AT URI without query or fragment, of a record or of anything wider."""
    return _PLAIN.fullmatch(text) is not None


def without_query(uri: str) -> str:
    """The URI up to its first `?` or `#`."""
    return _CUT.sub("", uri)


def collection_of(uri: str) -> str | None:
    """The collection of a record URI; None for a URI that names no single record."""
    parts = uri.split("/")
    position = _COLLECTION_AT.get(parts[0])
    if position is None or len(parts) != position + 2 or not all(parts[2:]) or not is_at_uri(uri):
        return None
    return parts[position]


def boundary_of(uri: str) -> str:
    """The trust boundary of an AT URI: the repository's authority, behind the space if there is one.

    `at://<did>/…` lies in the DID, `ats://<space>/<type>/<key>/<author>/…` in
    all that stands before its collection.
    """
    parts = uri.split("/")
    return parts[2] if parts[0] == "at:" else "/".join(parts[:6])

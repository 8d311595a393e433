"""A memory that carries a credential.

What it finds: a memory, marker or log whose text, rationale or excerpt holds
what looks like a token, a private key or a password with its value. The shapes
of tokens are those of detect-secrets; nothing is verified, since that would send
the credential somewhere. The value itself is shown nowhere: in every output
`[secret]` stands for it.

Why it matters: memories are read into prompts, exported and committed. Whoever
gets one gets the credential.

How to mend it: revoke the credential, since it has been read already; then take
it out of the record and of every export of it.
"""

from lineage.analyses.credentials import credentials
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each record that carries credentials."""
    found = credentials(graph)

    def what(number: int) -> str:
        said = [f"{_article(name)} in its {field}" for name, field in found.what[number]]
        return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)

    return singles(found.nodes, words={"what": what})


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


_DEPLOY = {
    "format": "lineage-memory/v1",
    "id": "deploy",
    "of": "robrain",
    "kind": "decision",
    "text": "Deploy with the service account",
    "created_at": "2026-01-01T10:00:00Z",
}
_TOKEN = "ghp_" + "x7Kq2m" * 6

RULE = Rule(
    code="LIN504",
    name="secret",
    severity=Severity.ERROR,
    message="{first} carries {what}.",
    mend="Revoke the credential, then take it out of the record and of every export of it.",
    check=check,
    texts=True,
    distinct=("what",),
    about=__doc__,
    examples=(
        Example("a token in the text", [{**_DEPLOY, "text": f"Deploy with the token {_TOKEN}"}], [["deploy"]]),
        Example("a password in the rationale", [{**_DEPLOY, "rationale": "password = 'k7!vQz92pLx'"}], [["deploy"]]),
        Example("a word for a credential alone", [{**_DEPLOY, "text": "Rotate the deploy token: monthly at least"}]),
        Example("a hash", [{**_DEPLOY, "text": "Pin the image to sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"}]),
    ),
)

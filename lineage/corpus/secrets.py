"""Credentials in texts: which columns may hold one, told over whole columns, and where exactly they stand.

The shapes of tokens are those of detect-secrets, which this project keeps to
so that they are kept up by others; nothing is ever verified, since that would
send the credential somewhere. The library is only imported where a text may
hold a credential at all.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import flags

_PLUGINS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("basic_auth", "BasicAuthDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("jwt", "JwtTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"),
    ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
)

# Tokens that the library does not know, by the prefixes that their issuers document.
_OWN = {
    "Google API key": r"AIza[0-9A-Za-z_-]{35}",
    "Anthropic API key": r"sk-ant-[0-9A-Za-z_-]{20,}",
    "OpenAI token": r"sk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{20,}",
    "GitHub token": r"github_pat_[0-9A-Za-z_]{22,}",
    "Hugging Face token": r"hf_[0-9A-Za-z]{30,}",
    "npm token": r"npm_[0-9A-Za-z]{36}",
    "DigitalOcean token": r"do[opr]_v1_[0-9a-f]{64}",
    "Shopify token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "Slack token": r"xapp-\d-[0-9A-Z]+-\d+-[0-9a-f]{16,}",
    "Slack webhook secret": r"whsec_[0-9A-Za-z+/=]{24,}",
    "Twilio API key": r"SK[0-9a-f]{32}",
    "bearer token": r"[Bb]earer\s+(?P<value>[0-9A-Za-z._~+/-]{24,}=*)",
    "private key": (
        r"(?s:-----BEGIN (?P<name>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----"
        r".{20,}?(?:-----END (?P=name)-----|\Z))"
    ),
}

# Where a word for a credential is followed by its value; what is no value is told by `_is_value`.
_NAMED = re.compile(
    r"(?i:(?:api|auth|access|account|client|db|database|encryption|private|service|signing)[_ -]?key"
    r"|passw(?:or)?d|passphrase|\bpwd|secret|token|contrase[nñ]a)\w*[\]'\"`]{0,2}"
    r"\s*(?:=>|:=|={1,3}|:|\bis\b)\s*(?P<quote>['\"`]?)(?P<value>[^\s'\"`<>{}()]{8,200})(?P=quote)"
)
_MAY_HOLD = (
    r"A3T[A-Z0-9]|A[BCKS][CI]A[0-9A-Z]{16}|AccountKey=|aws.{0,20}(?:key|pwd|pw|pass|token)|AIza"
    r"|://[^\s]+:[^\s]+@|gh[a-z]_|github_pat_|gl[a-z]{2,5}-|GR1348941|eyJ|_authToken|npm_|sk-|[rs]k_live_"
    r"|PRIVATE KEY|pypi-AgE|SG\.|(?i:xox[a-z]-|hooks\.slack)|xapp-|sq0csp-|[0-9]{8}:[0-9A-Za-z_-]{35}"
    r"|SK[0-9a-f]{32}|[MNO][0-9A-Za-z_-]{23,25}\.|[0-9a-z]{32}-us[0-9]|hf_|do[opr]_v1_|shp[a-z]{2}_|whsec_"
    r"|[Bb]earer\s|(?i:aws.{0,20}(?:key|pwd|pw|pass|token))"
    r"|(?i:key|passw(?:or)?d|passphrase|pwd|secret|token|contrase[nñ]a)[A-Za-z0-9_]*[\]'\"`]{0,2}"
    r"\s*(?:=|:|is\b)"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|0+|•+|\$.*|%.*|your.*|my[_-].*|some.*|the[_-].*|example.*|placeholder.*|change[_-]?me.*"
    r"|dummy.*|fake.*|test.*|redacted.*|masked.*|hidden.*|none|null|undefined|user(?:name)?|pass(?:word|wd)?|pwd|secret"
    r"|token|admin|root|postgres|guest|localhost.*|process\.env.*|os\.environ.*|env[.:].*)$"
)
_AROUND = re.compile(r"[0-9A-Za-z_]")
_MORE = re.compile(r"[0-9A-Za-z_+/=-]*")
_MORE_JWT = re.compile(r"[0-9A-Za-z_.+/=-]*")
_LEAST_ENTROPY = 3.0


class Secret(NamedTuple):
    """A credential in a text: what it is, and where its value begins and ends (in characters)."""

    what: str
    begin: int
    end: int


def suspicious(column: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
    """Mask of the texts of a column that may hold a credential; all that do are among them."""
    return flags(pc.match_substring_regex(column, pattern=_MAY_HOLD))


def secrets_in(text: str) -> list[Secret]:
    """The credentials in a text, in the order in which they stand; none overlaps another."""
    found: list[Secret] = []
    for secret in sorted(_all_in(text), key=lambda one: (one.begin, -one.end)):
        if found and secret.begin < found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, secret.end))
        else:
            found.append(secret)
    return found


def _all_in(text: str) -> Iterator[Secret]:
    for what, shape in _shapes():
        for match in shape.finditer(text):
            begin, end = _value(match)
            if begin and _AROUND.match(text, begin - 1) and _AROUND.match(text, begin):
                # In the middle of a longer word, such as a hash.
                continue
            if what == _JWT:
                end = _end(_MORE_JWT, text, end)
                if not _is_jwt(text[begin:end]):
                    continue
            elif what != _BASIC:
                end = _end(_MORE, text, end)
            if not _PLACEHOLDER.match(text[begin:end]) and not _is_blank(text[begin:end]):
                yield Secret(what, begin, end)
    for match in _NAMED.finditer(text):
        begin, end = match.span("value")
        value = text[begin:end].rstrip(".,;:")
        if _is_value(value):
            yield Secret("named credential", begin, begin + len(value))


def _end(more: re.Pattern[str], text: str, end: int) -> int:
    """Where a token really ends: shapes often match its least length only."""
    longer = more.match(text, end)
    return longer.end() if longer else end


def _value(match: re.Match[str]) -> tuple[int, int]:
    """The place of the value: that of the longest group if it is one, else of all that matched."""
    if match.groups():
        group = max(range(1, len(match.groups()) + 1), key=lambda at: len(match[at] or ""))
        if len(match[group] or "") >= 8 and "name" not in match.re.groupindex:
            return match.span(group)
        if match.re in _basic():
            return match.span(1)
    return match.span()


_BASIC = "Basic Auth Credentials"
_JWT = "JSON Web Token"


@cache
def _shapes() -> Sequence[tuple[str, re.Pattern[str]]]:
    known = [getattr(import_module(f"detect_secrets.plugins.{module}"), name) for module, name in _PLUGINS]
    own = [(what, re.compile(shape)) for what, shape in _OWN.items()]
    return [(plugin.secret_type, shape) for plugin in known for shape in plugin.denylist] + own


@cache
def _basic() -> frozenset[re.Pattern[str]]:
    return frozenset(shape for what, shape in _shapes() if what == _BASIC)


def _is_jwt(token: str) -> bool:
    detector = import_module("detect_secrets.plugins.jwt").JwtTokenDetector
    return bool(detector.is_formally_valid(".".join(token.rstrip(".").split(".")[:2])))


def _is_blank(token: str) -> bool:
    """Whether a token is written out in crosses or the like where its value would be."""
    return bool(re.search(r"([xX*.•0])\1{7,}|\.\.\.|…", token))


def _is_value(value: str) -> bool:
    """Whether what follows a word for a credential looks like one: no word, path, call, time or placeholder."""
    if _PLACEHOLDER.match(value) or _is_blank(value) or "://" in value or value.startswith(("/", "./", "~", "@", "-")):
        return False
    kinds = sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", "[0-9]", r"[^0-9A-Za-z_.,/:-]"))
    if kinds < 2 or not re.search("[0-9]", value) or _is_plain(value):
        return False
    counts = Counter(value)
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    return entropy >= min(_LEAST_ENTROPY, math.log2(len(value)) * 0.85)


def _is_plain(value: str) -> bool:
    """Whether it is made of words, numbers and units, as `15-minutes` or `src/auth2/login.ts` or a UUID are."""
    parts = [part for part in re.split(r"[_.,/:-]", value) if part]
    worded = all(re.fullmatch(r"[A-Za-z]+\d{0,3}|\d+[a-z]*|(?:[A-Z]?[a-z]+)+\d{0,2}", part) for part in parts)
    uuid = re.fullmatch(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value)
    return worded or uuid is not None

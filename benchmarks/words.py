"""Word lists and templates from which the generated memories are told.

A decision has six slots of 32 to 256 values, which makes equal or nearly equal
texts about as rare as in a real corpus: rules that compare texts are not swamped.
"""

from dataclasses import dataclass


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


VERBS = _words(
    "Keep|Move|Cache|Render|Validate|Store|Split|Queue|Retry|Encrypt|Log|Batch|Sign|Index|Expose|Throttle|"
    "Import|Export|Archive|Compress|Replicate|Audit|Mask|Route|Poll|Stream|Schedule|Version|Seed|Mirror|Hash|Group"
)

THINGS = _words(
    "invoices|job photos|session tokens|webhook events|meter readings|price lists|audit rows|search filters|"
    "push notifications|tenant settings|draft orders|stock levels|time sheets|customer notes|feature flags|API keys|"
    "address lookups|tax rates|delivery slots|refund requests|error pages|thumbnails|currency tables|login attempts|"
    "usage counters|route plans|supplier feeds|contract files|chat messages|form answers|diary entries|job templates|"
    "mail bounces|loyalty points|device tokens|map tiles|part numbers|payment intents|password resets|query plans|"
    "report copies|retention rules|role grants|sensor samples|service areas|shift swaps|signature images|site surveys|"
    "SMS receipts|staff rosters|tag groups|test fixtures|training videos|translation keys|upload chunks|vehicle checks|"
    "voice memos|warehouse bins|warranty claims|work orders|zone borders|ledger lines|discount codes|export jobs"
)

TOOLS = _words(
    "Postgres|SQLite|Redis|Kafka|NATS|RabbitMQ|DuckDB|ClickHouse|S3|MinIO|Parquet files|a materialised view|"
    "an append-only table|protobuf messages|plain JSON|a Rust worker|a Go sidecar|the edge cache|Varnish|nginx|"
    "OpenTelemetry|Prometheus|a nightly batch|server-sent events|WebSockets|long polling|GraphQL|gRPC|a cron container|"
    "Terraform|Ansible|a shared library|the mobile outbox|IndexedDB|a service worker|Elasticsearch|Meilisearch|Vault|"
    "an HSM|OAuth scopes|signed URLs|row-level security|a bloom filter|a feature table|LiteFS|etcd|Consul|Envoy|"
    "HAProxy|systemd timers|Nix builds|Bazel|pnpm workspaces|uv lock files|Poetry|Playwright|Vitest|pytest|Hypothesis|"
    "k6|Locust|a canary host|blue-green slots|a read replica"
)

PLACES = _words(
    "billing|dispatch|portal|mobile|import|search|ledger|auth|reports|stock|routing|support|pricing|catalogue|media|"
    "alerts|partners|payroll|surveys|fleet|depots|onboarding|exports|sandbox|kiosk|warehouse|returns|loyalty|compliance|"
    "planning|telemetry|archive"
)

PARTS = _words(
    "service|worker|store|client|schema|parser|queue|cache|router|policy|adapter|mapper|loader|writer|index|session|"
    "model|view|form|table|job|hook|guard|pool|batch|event|stream|ledger|rules|format|limits|retry"
)

CAUSES = _words(
    "the March outage|the last audit|a customer's complaint|the load test|the upgrade to the new runtime|"
    "two lost orders|the cost report|a slow Monday morning|the security review|the pilot in Leeds|a flaky test run|"
    "the accountant's question|the move to two regions|a leaked log file|the app store review|the partner's new API|"
    "a missed alert|the on-call handover|the holiday peak|an expired certificate|the data protection request|"
    "a full disk|the first large tenant|a broken rollback|the profiler's trace|the bug bash|a clock that was wrong|"
    "the vendor's price rise|a double charge|the schema freeze|the office move|a stuck migration"
)

GAINS = _words(
    "halves the tail latency|removes a whole class of retries|keeps the bill flat|makes rollbacks safe|"
    "lets support answer alone|works without signal|keeps secrets out of logs|needs one dashboard less|"
    "survives a region loss|can be tested offline|makes reviews shorter|stops the nightly pages|keeps history readable|"
    "frees the main thread|makes the numbers agree|lets two teams ship apart|cuts cold starts|is one moving part less|"
    "keeps old clients working|makes deletes provable|spares a second payout|lets us resume half-way|"
    "puts waiting in one place|makes failures visible|avoids a lock on the hot table|needs no new hardware|"
    "keeps the phone cool|makes the export exact|lets auditors read along|makes local runs honest|"
    "keeps the queue short|is what the team knows"
)

FAULTS = _words(
    "too slow in the spike|no one could operate it|licence changed last year|lost writes under load|"
    "needs a second team|breaks older phones|cost grew with every tenant|hid errors from support|"
    "could not be rolled back|locked us to one vendor|failed the security review|no types for our language|"
    "twice the memory|docs contradicted the code|dropped messages on restart|did not survive a clock change"
)

SCOPES = ("team", "user", "team", "local", "team", "global", "team", "team")


@dataclass(frozen=True)
class Story:
    """The texts of one memory."""

    decision: str
    rationale: str
    excerpt: str
    place: str


def pick(words: tuple[str, ...], byte: int, shift: int = 0) -> str:
    """A word chosen by a byte; the lists are powers of two long, so that each is equally likely."""
    return words[(byte + shift) % len(words)]


def story(dice: bytes) -> Story:
    """A decision with its reason, from at least 12 dice of one byte."""
    verb, thing, tool, place = pick(VERBS, dice[0]), pick(THINGS, dice[1]), pick(TOOLS, dice[2]), pick(PLACES, dice[3])
    other, cause, gain = pick(THINGS, dice[4], 7), pick(CAUSES, dice[5]), pick(GAINS, dice[6])
    return Story(
        decision=f"{verb} {thing} with {tool} for {place}, at most {5 + dice[7] * 3} {other} at once",
        rationale=f"After {cause} this {gain}" + (f" and {pick(GAINS, dice[8], 5)}" if dice[9] % 4 == 0 else ""),
        excerpt=f"{place} keeps fighting with {other} since {pick(CAUSES, dice[10], 3)}",
        place=place,
    )


def path(dice: int) -> str:
    """A repo-relative path from a number of two bytes or more."""
    return f"src/{PLACES[dice & 31]}/{PARTS[(dice >> 5) & 31]}-{PARTS[(dice >> 10) & 31]}.ts"

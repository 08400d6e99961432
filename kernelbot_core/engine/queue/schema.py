"""The tables. A migration that was published is never changed: the next one is added below."""

from __future__ import annotations

# Seconds since 1970 are REAL; numbered rows give the order of arrival.
_FIRST = (
    """CREATE TABLE jobs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account TEXT NOT NULL, user TEXT NOT NULL, guild TEXT NOT NULL,
        problem TEXT NOT NULL, pack TEXT NOT NULL,
        device TEXT NOT NULL, language TEXT NOT NULL, filename TEXT NOT NULL, source TEXT NOT NULL,
        mode TEXT NOT NULL, payload BLOB NOT NULL,
        priority INTEGER NOT NULL, state TEXT NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 0, faults INTEGER NOT NULL DEFAULT 0,
        counted INTEGER NOT NULL, cancelling INTEGER NOT NULL DEFAULT 0,
        created REAL NOT NULL, started REAL, finished REAL,
        owner TEXT NOT NULL DEFAULT '', lease REAL,
        status TEXT, reason TEXT NOT NULL DEFAULT '',
        origin TEXT NOT NULL DEFAULT '', note TEXT NOT NULL DEFAULT '', told INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX states ON jobs (state, device)",
    "CREATE INDEX counted_jobs ON jobs (account, problem, created) WHERE counted = 1",
    "CREATE INDEX jobs_of ON jobs (account, seq)",
    "CREATE INDEX durations ON jobs (device, problem, mode, finished) WHERE state = 'done'",
    "CREATE INDEX durations_of_all ON jobs (device, finished) WHERE state = 'done'",
    "CREATE INDEX untold ON jobs (seq) WHERE told = 0",
    # Verdicts: between the end of a run and the store; for modes that the store does not keep, a while longer.
    "CREATE TABLE reports (job TEXT PRIMARY KEY, at REAL NOT NULL, keep INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE TABLE turns (device TEXT, account TEXT, turn INTEGER NOT NULL, PRIMARY KEY (device, account))",
    "CREATE TABLE lanes (device TEXT PRIMARY KEY, flow TEXT NOT NULL, reason TEXT NOT NULL)",
    "CREATE TABLE limits (account TEXT, problem TEXT, per_hour INTEGER NOT NULL, PRIMARY KEY (account, problem))",
    "CREATE TABLE bans (account TEXT PRIMARY KEY, reason TEXT NOT NULL, until REAL)",
    """CREATE TABLE boards (
        problem TEXT PRIMARY KEY, deadline REAL, private INTEGER NOT NULL DEFAULT 0, "release" TEXT
    )""",
    "CREATE TABLE members (problem TEXT, account TEXT, PRIMARY KEY (problem, account))",
    "CREATE TABLE invites (digest TEXT PRIMARY KEY, problem TEXT NOT NULL, uses INTEGER NOT NULL, until REAL)",
    "CREATE TABLE marks (name TEXT PRIMARY KEY, at REAL NOT NULL, value TEXT NOT NULL)",
    """CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL,
        actor TEXT NOT NULL, act TEXT NOT NULL, target TEXT NOT NULL, detail TEXT NOT NULL
    )""",
    "CREATE INDEX audit_of ON audit (target, id)",
)
# Source texts until they are in the store: added with their job, so that one flush to disk acknowledges both.
_SOURCES = ("CREATE TABLE sources (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL)",)
# Places before a verdict, and what it changed; until that is announced.
_PODIUMS = ("CREATE TABLE podiums (job TEXT PRIMARY KEY, at REAL NOT NULL, before BLOB NOT NULL, news BLOB)",)
MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SOURCES, _PODIUMS)

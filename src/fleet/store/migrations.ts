/**
 * The schema as a list of steps; a released step never changes. Times are ISO 8601 in UTC, and JSON is text. The output of agents is in
 * files, because SQLite does not return disk space when rows are deleted.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    manifest TEXT NOT NULL,
    version INTEGER NOT NULL,
    wanted TEXT NOT NULL CHECK (wanted IN ('started', 'stopped')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    archived_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX agents_by_name ON agents (name) WHERE archived_at IS NULL;
  CREATE INDEX agents_in_order ON agents (created_at, id);

  CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
    for_any INTEGER NOT NULL,
    state TEXT NOT NULL,
    slot INTEGER,
    adapter TEXT,
    attempt INTEGER NOT NULL,
    cancel_asked INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    prompt_start TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    idempotency_key TEXT,
    request_hash TEXT NOT NULL,
    continues TEXT,
    conversation TEXT,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    cost_usd REAL,
    tokens INTEGER,
    result TEXT,
    problem TEXT
  ) STRICT;
  CREATE UNIQUE INDEX jobs_by_key ON jobs (requested_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE INDEX jobs_by_agent ON jobs (agent_id, number);
  CREATE INDEX jobs_by_agent_and_state ON jobs (agent_id, state, number);
  CREATE INDEX jobs_by_state ON jobs (state, number);
  CREATE INDEX jobs_by_conversation ON jobs (continues) WHERE continues IS NOT NULL;

  CREATE TABLE job_labels (
    job INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
    label TEXT NOT NULL,
    PRIMARY KEY (job, label)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_prompts (
    job INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
    prompt TEXT NOT NULL
  ) STRICT;

  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    agent TEXT,
    job TEXT,
    data TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;
  `,
  'ALTER TABLE jobs ADD COLUMN is_message INTEGER NOT NULL DEFAULT 0;',
  `
  ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX jobs_by_end ON jobs (ended_at, number) WHERE ended_at IS NOT NULL;
  CREATE TABLE totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO totals VALUES ('bytes', 0);
  CREATE TRIGGER bytes_of_ended AFTER UPDATE OF bytes ON jobs BEGIN
    UPDATE totals SET value = value + new.bytes - old.bytes WHERE name = 'bytes';
  END;
  CREATE TRIGGER bytes_of_deleted AFTER DELETE ON jobs BEGIN
    UPDATE totals SET value = value - old.bytes WHERE name = 'bytes';
  END;
  `,
  `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, half TEXT NOT NULL, role TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE usage (
    day TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    model TEXT NOT NULL,
    agent TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    tool_calls INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    PRIMARY KEY (day, agent_id, model)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE usage ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE usage ADD COLUMN cell_ms INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX usage_by_agent ON usage (agent_id, day);
  `,
  `
  CREATE TABLE schedules (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    cron TEXT NOT NULL,
    zone TEXT NOT NULL,
    prompt TEXT NOT NULL,
    missed TEXT NOT NULL,
    overlap TEXT NOT NULL,
    paused INTEGER NOT NULL,
    due_at INTEGER,
    last_job TEXT,
    problem TEXT,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX schedules_by_due ON schedules (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX schedules_by_agent ON schedules (agent_id);
  `,
  `
  CREATE TABLE hooks (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    prompt TEXT NOT NULL,
    secret TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_job TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX hooks_by_agent ON hooks (agent_id);
  `,
  `
  CREATE TABLE episodes (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    job TEXT NOT NULL,
    state TEXT NOT NULL,
    prompt TEXT NOT NULL,
    answer TEXT NOT NULL,
    origin TEXT,
    PRIMARY KEY (agent_id, at, job)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE jobs ADD COLUMN parent TEXT;
  ALTER TABLE jobs ADD COLUMN limits TEXT;
  CREATE INDEX jobs_by_parent ON jobs (parent) WHERE parent IS NOT NULL;
  `,
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    kinds TEXT NOT NULL,
    secret TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    cursor INTEGER NOT NULL,
    trying INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE webhook_outcomes (
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event INTEGER NOT NULL,
    kind TEXT,
    at TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    status INTEGER,
    problem TEXT,
    next_at TEXT,
    PRIMARY KEY (webhook_id, event)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE leases (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    terms TEXT NOT NULL,
    token_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    ended_at TEXT,
    turns INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    usd REAL NOT NULL DEFAULT 0,
    time INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX leases_by_name ON leases (name) WHERE ended_at IS NULL;
  CREATE INDEX leases_by_any_name ON leases (name, created_at);
  CREATE INDEX leases_by_agent ON leases (agent_id);
  CREATE INDEX leases_by_end ON leases (expires_at) WHERE ended_at IS NULL;
  ALTER TABLE jobs ADD COLUMN lease_id TEXT;
  CREATE INDEX jobs_by_lease ON jobs (lease_id, number) WHERE lease_id IS NOT NULL;
  ALTER TABLE episodes ADD COLUMN lease_id TEXT;
  ALTER TABLE hooks ADD COLUMN problem TEXT;
  `,
  `
  CREATE TABLE discord (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    token TEXT NOT NULL,
    bot TEXT NOT NULL,
    bot_name TEXT NOT NULL,
    session TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE discord_channels (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL UNIQUE REFERENCES agents (id) ON DELETE CASCADE,
    users TEXT NOT NULL,
    read_to TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE discord_messages (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX discord_messages_by_time ON discord_messages (at);
  CREATE TABLE discord_jobs (
    job TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    channel TEXT NOT NULL REFERENCES discord_channels (id) ON DELETE CASCADE,
    message TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE discord_posts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL REFERENCES discord_channels (id) ON DELETE CASCADE,
    about TEXT,
    reply_to TEXT,
    content TEXT NOT NULL,
    file_name TEXT,
    file TEXT,
    nonce TEXT NOT NULL,
    state TEXT NOT NULL,
    message TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX discord_posts_by_channel ON discord_posts (channel, number);
  CREATE INDEX discord_posts_by_state ON discord_posts (state, channel, number);
  CREATE INDEX discord_posts_by_message ON discord_posts (message) WHERE message IS NOT NULL;
  `,
  `
  ALTER TABLE sessions ADD COLUMN token TEXT;
  `,
  `
  CREATE TABLE usage_by_kind (
    day TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    agent TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    tool_calls INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    cell_ms INTEGER NOT NULL,
    PRIMARY KEY (day, agent_id, kind, model)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO usage_by_kind SELECT day, agent_id, coalesce((SELECT manifest ->> '$.agent' FROM agents WHERE id = agent_id), ''), model, agent, jobs,
    unpriced, input, output, cached_input, cost_usd, tool_calls, wall_ms, turns, cell_ms FROM usage;
  DROP TABLE usage;
  ALTER TABLE usage_by_kind RENAME TO usage;
  CREATE INDEX usage_by_agent ON usage (agent_id, day);
  `,
  `
  CREATE TABLE pause (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since TEXT NOT NULL,
    jobs INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE agents ADD COLUMN approved INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE agents ADD COLUMN waiting TEXT;
  `,
  "CREATE INDEX jobs_queued ON jobs (state, agent_id) WHERE state = 'queued';",
  'ALTER TABLE jobs ADD COLUMN by_owner INTEGER NOT NULL DEFAULT 0;',
  'ALTER TABLE jobs ADD COLUMN to_apply INTEGER;',
  'ALTER TABLE sessions ADD COLUMN name TEXT;',
]

import * as z from 'zod'

const pathAndWhy = z.strictObject({ path: z.string(), why: z.string() })
const traffic = { bytesOut: z.int(), bytesIn: z.int() }
export const limitName = z.enum(['timeout', 'silence', 'memory', 'pids', 'cpus', 'fileSize', 'disk'])
export const egressMode = z.enum(['off', 'allowlist', 'public', 'open'])

const endingSchema = z.union([
  z.strictObject({ kind: z.literal('exited'), code: z.int() }),
  z.strictObject({ kind: z.enum(['out-of-memory', 'out-of-time', 'silent', 'out-of-disk', 'output-flood', 'cancelled']) }),
  z.strictObject({ kind: z.literal('unprotected'), path: z.string() }),
  z.strictObject({ kind: z.literal('start-failed'), message: z.string(), hint: z.string().optional() }),
])

const egressSchema = z.strictObject({
  mode: egressMode,
  connections: z.int(),
  ...traffic,
  reached: z.array(z.strictObject({ host: z.string(), port: z.int(), connections: z.int(), ...traffic })),
  denied: z.array(z.strictObject({ host: z.string(), port: z.int().nullable(), reason: z.string(), count: z.int() })),
  deniedMore: z.int().optional(),
  astray: z
    .array(z.strictObject({ credential: z.string(), host: z.string(), count: z.int() }))
    .optional()
    .describe('Placeholders that were sent to places where they have no value.'),
  network: z.strictObject(traffic).optional().describe('Traffic that bypasses the gateway, under public and open.'),
  requests: z.strictObject({ allowed: z.int(), denied: z.int() }).optional(),
  models: z
    .strictObject({
      answered: z.int(),
      failed: z.array(
        z.strictObject({
          host: z.string(),
          kind: z.enum(['refused', 'cut', 'unanswered', 'unreachable', 'unresolvable', 'not-renewed', 'no-credential']),
          status: z.int().nullable(),
          why: z.string().optional(),
          resetsAt: z.number().nullable().describe('Milliseconds since the epoch.'),
          waitedMs: z.number(),
          at: z.number(),
          count: z.int(),
        }),
      ),
    })
    .optional(),
})

const gitChangesSchema = z.strictObject({
  workTree: z.string().describe('The path of the work tree; . is the project.'),
  branchBefore: z.string().nullable(),
  branchAfter: z.string().nullable(),
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  commits: z
    .array(
      z.strictObject({
        hash: z.string(),
        subject: z.string(),
        protected: z.array(z.string()).describe('Protected paths that the commit changes.'),
      }),
    )
    .describe('Commits that branches have now and that no ref had at the start, newest first; at most 100.'),
  commitCount: z.int().nullable().describe('At most 1,001. Null: the commits could not be read.'),
  inProgress: z.enum(['rebase', 'am', 'merge', 'cherry-pick', 'revert', 'bisect']).nullable(),
  stashes: z.int().describe('Number of stashes that were added.'),
})

const changesSchema = z.strictObject({
  created: z.array(z.string()),
  modified: z.array(z.string()),
  deleted: z.array(z.string()),
  renamed: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  git: z.array(gitChangesSchema).describe('Work trees in which a branch, commits or a stash changed.'),
  runsLater: z.array(pathAndWhy).describe('Files that a program on this machine runs later.'),
  quarantined: z.array(z.strictObject({ path: z.string(), movedTo: z.string() })),
  held: z
    .strictObject({
      updated: z.array(z.string()),
      left: z.array(z.string()),
      untracked: z.array(z.string()).optional(),
      uncommitted: z.array(z.strictObject({ path: z.string(), from: z.string() })).optional(),
      hidden: z.array(z.string()).optional(),
    })
    .optional()
    .describe(
      'Tracked protected files whose version changed in git: brought to it after the run, or left as they are (untracked: the cell removed them in git; uncommitted: a reset from the commit `from` passed over them, so commits after it do not have these versions; hidden: by a sparse checkout of the user, until its patterns are applied again).',
    ),
  unregistered: z
    .array(z.strictObject({ workTree: z.string(), path: z.string() }))
    .optional()
    .describe('Submodules that the cell checked out or added and that are not in the configuration of their repository.'),
  laundered: z
    .array(z.strictObject({ path: z.string(), removed: z.array(z.string()) }))
    .optional()
    .describe('Git directories of the cell that were rewritten so that they run nothing, and what was removed.'),
  configs: z
    .array(z.strictObject({ path: z.string(), written: z.array(z.string()), left: z.array(z.string()) }))
    .optional()
    .describe('Configs of repositories in which the cell changed settings: keys that were written, and settings that were left out.'),
  discarded: z
    .array(z.string())
    .optional()
    .describe('Hooks that the cell made, changed or removed in its private copies of their directories, which were removed with it.'),
  linksOut: z
    .array(z.strictObject({ path: z.string(), target: z.string() }))
    .optional()
    .describe('New symbolic links that lead out of the project, and where they lead on this machine. Absent if there are none.'),
  unsearched: z.array(z.string()),
  truncated: z.boolean(),
})

/** The report of a cell, the same as with `--report FILE`. */
export const reportSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    cell: z.string(),
    name: z.string(),
    posture: z.string(),
    backend: z.string(),
    planHash: z.string(),
    startedAt: z.string(),
    endedAt: z.string(),
    durationMs: z.number(),
    ending: endingSchema,
    killLadder: z.array(z.string()),
    resources: z.strictObject({ cpuMs: z.number().nullable(), peakMemoryBytes: z.number().nullable() }),
    limits: z.array(
      z.strictObject({
        limit: limitName,
        value: z.number().nullable(),
        asked: z.boolean(),
        mechanism: z.string(),
        gap: z.string().optional(),
      }),
    ),
    egress: egressSchema,
    changes: changesSchema.nullable(),
    degraded: z.array(z.string()),
  })
  .meta({ id: 'CellReport' })

import * as z from 'zod'
import { trifectaSchema } from '../base/trifecta-schema.ts'
import { egressSummarySchema } from '../egress/egress-summary-schema.ts'

const pathAndWhy = z.strictObject({ path: z.string(), why: z.string() })
export const limitName = z.enum(['timeout', 'silence', 'memory', 'pids', 'cpus', 'fileSize', 'disk'])

const endingSchema = z.union([
  z.strictObject({
    kind: z.literal('exited'),
    code: z.int().describe('128 + n if signal n ended the program, or if the program chose that code itself.'),
    why: z.string().exactOptional().describe('Why the kernel did not run the command, if its exit code is 126 and the reason is known.'),
  }),
  z.strictObject({ kind: z.enum(['out-of-memory', 'out-of-time', 'silent', 'out-of-disk', 'output-flood', 'cancelled']) }),
  z
    .strictObject({ kind: z.literal('unprotected'), path: z.string() })
    .describe('A host program removed or replaced this protected path, so the cell was ended: it could have written to the path.'),
  z.strictObject({ kind: z.literal('start-failed'), message: z.string(), hint: z.string().exactOptional() }),
])

const gitChangesSchema = z.strictObject({
  workTree: z.string().describe('The path of the work tree; . is the project.'),
  branchBefore: z.string().nullable().describe('Without refs/heads/. Null: no branch was checked out, or HEAD could not be read.'),
  branchAfter: z.string().nullable(),
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  commits: z
    .array(
      z.strictObject({
        hash: z.string(),
        subject: z.string(),
        protected: z.array(z.string()).describe('Protected paths that the commit changes; at most 20.'),
      }),
    )
    .describe('Commits that branches have now and that no ref had at the start, newest first; at most 100.'),
  commitCount: z.int().nullable().describe('At most 1,001. Null: the commits could not be read.'),
  inProgress: z.enum(['rebase', 'am', 'merge', 'cherry-pick', 'revert', 'bisect']).nullable(),
  stashes: z.int().describe('Number of stashes that were added.'),
})

const changesSchema = z.strictObject({
  created: z
    .array(z.string())
    .describe('Sorted paths relative to the project, separated by /. Each list of files keeps at most 1,000 for each tree.'),
  modified: z.array(z.string()),
  deleted: z.array(z.string()).describe('Files, and directories of installed packages that are gone as a whole.'),
  renamed: z
    .array(z.strictObject({ from: z.string(), to: z.string() }))
    .describe('Files that are the same ones at another path. A rename that cannot be proven is a deleted and a created file.'),
  git: z.array(gitChangesSchema).describe('Work trees in which a branch, commits or a stash changed; at most 100.'),
  runsLater: z.array(pathAndWhy).describe('Files that a program on this machine runs later, the most important first; at most 100,000.'),
  quarantined: z
    .array(z.strictObject({ path: z.string(), movedTo: z.string() }))
    .describe('New files deep in the project that would run later, moved to these paths; at most 100,000.'),
  held: z
    .strictObject({
      updated: z.array(z.string()),
      left: z.array(z.string()),
      untracked: z.array(z.string()).exactOptional(),
      uncommitted: z.array(z.strictObject({ path: z.string(), from: z.string() })).exactOptional(),
      hidden: z.array(z.string()).exactOptional(),
    })
    .exactOptional()
    .describe(
      'Tracked protected files whose version changed in git: brought to it after the run, or left as they are (untracked: the cell removed them in git; uncommitted: a reset from the commit `from` passed over them, so commits after it do not have these versions; hidden: by a sparse checkout of the user, until its patterns are applied again).',
    ),
  unregistered: z
    .array(z.strictObject({ workTree: z.string(), path: z.string() }))
    .exactOptional()
    .describe('Submodules that the cell checked out or added and that are not in the configuration of their repository.'),
  laundered: z
    .array(z.strictObject({ path: z.string(), removed: z.array(z.string()) }))
    .exactOptional()
    .describe('Git directories of the cell that were rewritten so that they run nothing, and what was removed.'),
  configs: z
    .array(z.strictObject({ path: z.string(), written: z.array(z.string()), left: z.array(z.string()) }))
    .exactOptional()
    .describe('Configs of repositories in which the cell changed settings: keys that were written, and settings that were left out.'),
  discarded: z
    .array(z.string())
    .exactOptional()
    .describe('Hooks that the cell made, changed or removed in its private copies of their directories, which were removed with it.'),
  linksOut: z
    .array(z.strictObject({ path: z.string(), target: z.string() }))
    .exactOptional()
    .describe('New symbolic links that lead out of the project, and where they lead on this machine. Absent if there are none.'),
  unsearched: z.array(z.string()).describe('Paths that were unreadable, too deep, or impossible to quarantine.'),
  truncated: z.boolean().describe('True if a list was cut, or if the tree was too large to search completely.'),
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
    killLadder: z.array(z.string()).describe('The signals that were needed to end the cell, in order.'),
    resources: z.strictObject({ cpuMs: z.number().nullable(), peakMemoryBytes: z.number().nullable() }),
    limits: z.array(
      z.strictObject({
        limit: limitName,
        value: z.number().nullable().describe('In milliseconds, bytes, a count or processors. Null: no limit.'),
        asked: z.boolean().describe('True if the user set the limit.'),
        mechanism: z.string().describe('cgroup v1, cgroup v2, systemd-run, rlimit, memory watch, host timer, size watch, or none.'),
        gap: z.string().exactOptional().describe('What the mechanism leaves open. Absent if it covers the limit completely.'),
      }),
    ),
    egress: egressSummarySchema,
    changes: changesSchema.nullable(),
    degraded: z.array(z.string()).describe('Guarantees that were given up by name for this cell.'),
    trifecta: trifectaSchema.exactOptional(),
  })
  .meta({ id: 'CellReport' })

import type { EgressSummary } from '../egress/summary.ts'
import type { LimitInForce } from './plan/limits.ts'

export type { EgressSummary }

/** The way in which a cell ended. `endingOf` decides which one applies. */
export type CellEnding =
  /** The program ended. The code is 128 + n if signal n ended it, or if the program chose that code itself. */
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'out-of-disk' }
  | { readonly kind: 'output-flood' }
  | { readonly kind: 'cancelled' }
  /** A host program removed or replaced this protected path. The cell was killed, because it could have written to the path. */
  | { readonly kind: 'unprotected'; readonly path: string }
  | { readonly kind: 'start-failed'; readonly message: string; readonly hint?: string }

export interface ChangeSummary {
  /** Paths relative to the project, separated by `/` and sorted. Each list of files keeps at most 1,000 for each tree. */
  readonly created: readonly string[]
  readonly modified: readonly string[]
  /** Files that are gone, and directories of installed packages that are gone as a whole. */
  readonly deleted: readonly string[]
  /** Files that are the same ones at another path. A rename that cannot be proven is a deleted and a created file. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Work trees of git in which a branch, commits, a stash or an operation in progress changed. At most 100 are kept. */
  readonly git: readonly GitChanges[]
  /**
   * Created or modified files that a tool of the host will run later, each with the reason. The most important come first; at most
   * 100,000 are kept.
   */
  readonly runsLater: readonly { readonly path: string; readonly why: string }[]
  /** New files deep in the project that would run later. They were quarantined under these new paths. At most 100,000 are kept. */
  readonly quarantined: readonly { readonly path: string; readonly movedTo: string }[]
  /** Tracked protected paths whose version changed in git while git did not touch the files. Absent if there are no such paths. */
  readonly held?: {
    /** Files that now have the version of the commit that is checked out, or were removed with it. */
    readonly updated: readonly string[]
    /** Files that were left as they were, so git shows them as modified or deleted. */
    readonly left: readonly string[]
    /** Files that the cell removed in git and that were left, so git shows them as untracked. Absent in reports of older versions. */
    readonly untracked?: readonly string[]
    /**
     * Files whose versions in the commit `from` git outside would have shown as changes after the cell's reset from there, so that the cell's
     * commits do not have them. Absent in reports of older versions.
     */
    readonly uncommitted?: readonly { readonly path: string; readonly from: string }[]
    /** New files that stay hidden by the user's own sparse checkout until its patterns are applied again. Absent in reports of older versions. */
    readonly hidden?: readonly string[]
  }
  /**
   * Submodules that the cell checked out or added and that are not in the configuration of their repository, because it could not be written.
   * Absent if there are none.
   */
  readonly unregistered?: readonly SubmoduleEntry[]
  /**
   * Git directories that the cell made and that stay, rewritten to a form that can run nothing, each with the entries and settings that were
   * removed from it. Absent in reports of older versions.
   */
  readonly laundered?: readonly { readonly path: string; readonly removed: readonly string[] }[]
  /**
   * Configs of repositories in which the cell changed settings: the keys that were written, and the settings that were left out (`KEY=VALUE`, or
   * `KEY` if the cell removed it). Absent if there are none.
   */
  readonly configs?: readonly { readonly path: string; readonly written: readonly string[]; readonly left: readonly string[] }[]
  /**
   * Hooks that the cell made, changed or removed in its private copies of their directories, which were removed with it. Absent if there are
   * none.
   */
  readonly discarded?: readonly string[]
  /**
   * New symbolic links that lead out of the project and of the cell's other trees, with the paths to which they lead on this machine. Links to
   * the system's and the toolchains' directories are left out. Absent if there are none.
   */
  readonly linksOut?: readonly { readonly path: string; readonly target: string }[]
  /** Paths that were unreadable, too deep, or impossible to quarantine. Check these directories before you enter them. */
  readonly unsearched: readonly string[]
  /** True if a list was cut, or if the tree was too large to search completely. */
  readonly truncated: boolean
}

/** A submodule. */
export interface SubmoduleEntry {
  /** The path of the work tree to which it belongs, relative to the project like the files; `.` is the project itself. */
  readonly workTree: string
  /** Relative to that work tree. */
  readonly path: string
}

/** What happened to git in one work tree. */
export interface GitChanges {
  /** The path of the work tree, relative to the project like the files; `.` is the project itself. */
  readonly workTree: string
  /** Names of branches without `refs/heads/`. Null: no branch was checked out, or HEAD could not be read. */
  readonly branchBefore: string | null
  readonly branchAfter: string | null
  /** IDs of the commits that were checked out. Null: there was none yet, or it could not be read. */
  readonly headBefore: string | null
  readonly headAfter: string | null
  /**
   * Commits that branches or HEAD have now, and that no ref had at the start: made in the cell or fetched, newest first. At most 100 are
   * kept. Work trees of one repository share their commits; they are listed for the first of them.
   */
  readonly commits: readonly MadeCommit[]
  /** The number of these commits; at most 1,001. Null: they could not be read. */
  readonly commitCount: number | null
  /** The operation of git that waits to be continued or aborted. */
  readonly inProgress: GitOperation | null
  /** Number of stashes that were added. */
  readonly stashes: number
}

export type GitOperation = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect'

export interface MadeCommit {
  readonly hash: string
  /** The subject of the message, printable. Git cuts it at 150 columns. */
  readonly subject: string
  /** Protected paths that the commit changes. At most 20 are kept. */
  readonly protected: readonly string[]
}

/** The results of a cell after its end, in the JSON form of `--report FILE`. */
export interface CellReport {
  readonly schemaVersion: 1
  readonly cell: string
  readonly name: string
  readonly posture: string
  readonly backend: string
  readonly planHash: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly ending: CellEnding
  /** The signals that were needed to end the cell, in order. Empty if it ended by itself. */
  readonly killLadder: readonly string[]
  readonly resources: { readonly cpuMs: number | null; readonly peakMemoryBytes: number | null }
  readonly limits: readonly LimitInForce[]
  readonly egress: EgressSummary
  readonly changes: ChangeSummary | null
  /** Guarantees that the user gave up by name for this cell. */
  readonly degraded: readonly string[]
}

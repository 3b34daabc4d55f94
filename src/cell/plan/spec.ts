import type { CellCredential } from '../../egress/placeholder/credential.ts'
import type { EgressPolicy } from '../../egress/policy/policy.ts'
import type { DefaultLimits, LimitWishes } from './limits.ts'

/** A directory or file of the host that the cell sees. */
export interface MountWish {
  /** Absolute path on the host. */
  readonly source: string
  /** Absolute path in the cell; the same path when absent. */
  readonly target?: string
  readonly access: 'ro' | 'rw'
  /** Why it is there; `user` when absent. */
  readonly reason?: 'user' | 'agent' | 'contest'
}

/** A file that exists in the cell only. Read-only there. */
export interface SyntheticFile {
  readonly target: string
  readonly content: string
}

/** A file or directory of the host that appears empty in the cell, wherever the cell sees it. */
export interface MaskWish {
  /** Absolute, without links. */
  readonly source: string
  readonly kind: 'file' | 'directory'
}

/** What a caller wishes of a cell, in user words. `plan()` turns it into decisions. */
export interface CellSpec {
  /** A short name for messages and the audit log: `run claude`, `participant alpha`. */
  readonly name: string
  /** Program and arguments as the cell runs them; the program is found in the cell's PATH. */
  readonly command: readonly string[]
  /** Absolute path in the cell. */
  readonly cwd: string
  /**
   * The project the cell works on, at its own path, read-write, with the files that run later on the host
   * read-only. Absent: no project (contests mount what they need by `mounts`).
   */
  readonly project?: string
  /** A copy of the project that Paddock keeps. It is mounted at the project's path, and the project itself is not in the cell. */
  readonly projectCopy?: string
  readonly mounts: readonly MountWish[]
  readonly files: readonly SyntheticFile[]
  readonly masks?: readonly MaskWish[]
  /** The private home: a directory of the host that persists, or a tmpfs that does not. */
  readonly home: { readonly kind: 'persistent'; readonly path: string } | { readonly kind: 'temporary' }
  /** Put into the private home by the cell itself before the command starts: path relative to home, mode 0600. */
  readonly homeFiles?: readonly { readonly path: string; readonly content: string; readonly overwrite: boolean }[]
  /** Variables by value, beyond the fixed allowlist (PATH, HOME, TERM, LANG, LC_*, TZ). The adapter's and the user's own. */
  readonly env: Readonly<Record<string, string>>
  /** Directories put in front of PATH in the cell, mounted by `mounts` or by the system. */
  readonly pathEntries: readonly string[]
  readonly egress: EgressPolicy
  /**
   * The credentials that the cell holds placeholders for. The gateway swaps them on the way out. The placeholders themselves are in `env`,
   * `files` or `homeFiles`.
   */
  readonly credentials?: readonly CellCredential[]
  /** Added to the cell's configuration of git for the whole system. */
  readonly gitConfig?: string
  readonly limits: LimitWishes
  readonly defaultLimits?: DefaultLimits
  /** TCP ports of the cell's loopback that the host will connect to. */
  readonly publish?: readonly number[]
  /** True gives the cell a terminal of its own. */
  readonly terminal: boolean
  /** Guarantees that the user gave up by name for this one cell. */
  readonly degraded: readonly string[]
}

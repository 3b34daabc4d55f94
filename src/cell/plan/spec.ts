import type { CellPlace } from '../../base/cell-place.ts'
import type { TrifectaWish } from '../../base/trifecta-rating.ts'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import type { DefaultLimits, LimitWishes } from './cell-limits.ts'
import type { Rights } from './rights.ts'
import type { ToolLayers } from './toolchains/tool-layers.ts'

/** A directory or file of the host that the cell sees. */
export interface MountWish {
  /** Absolute path on the host. */
  readonly source: string
  /** Absolute path in the cell. Default: the same path. */
  readonly target?: string
  readonly access: 'ro' | 'rw'
  /** The reason for the mount. Default: `user`. */
  readonly reason?: 'user' | 'agent' | 'contest' | 'setup' | 'toolchain'
  /** A directory, as a real path, that a link in the source may not lead out of. Other cells may write there. */
  readonly within?: string
}

/** A read-only file that exists only in the cell. */
export interface SyntheticFile {
  readonly target: string
  readonly content: string
  /** The form of `content` if the file is not text. */
  readonly encoding?: 'base64'
}

/** A file or directory of the host that appears empty in the cell, wherever the cell sees it. */
export interface MaskWish {
  /** Absolute path without symbolic links. */
  readonly source: string
  readonly kind: 'file' | 'directory'
}

/** Returns the trees of a cell that are work trees for tasks. */
export function taskTreesOf({ taskTree, project }: Pick<CellSpec, 'taskTree' | 'project'>): readonly string[] {
  return taskTree === true && project !== undefined ? [project] : []
}

/**
 * `own`: files in writable trees that other directories share by hard links get their own copies before the cell starts. `ro`: directories
 * of installed packages are read-only, and other files get their own copies. `rw`: files stay shared, and the cell can change them for all.
 */
export type SharedDeps = 'own' | 'ro' | 'rw'

export interface PersistentHome {
  readonly kind: 'persistent'
  readonly path: string
  /**
   * What acts in the home although cells with fewer rights wrote it: by default, it is set aside (`settleHome`). `keep`: the user wants the
   * cell to have it. `own`: the home is only for this cell.
   */
  readonly others?: 'keep' | 'own'
  /** True if the cell cannot do with a temporary home while a cell with other rights has this one. */
  readonly isNeeded?: true
}

/** The agent of a cell, for the audit log and for telemetry. Has no effect on the cell. */
export interface CellAgent {
  readonly name: string
  /** The version of its program; null: not reported. */
  readonly version: string | null
  /** The model family behind it (`AgentAdapter.family`); `none` for a command. */
  readonly family: string
  /** The requested model; null: the agent chooses it. */
  readonly model: string | null
  /** The prompt, if it is not the cell's standard input. */
  readonly prompt?: string
}

/** A caller's wishes for a cell, in the user's terms. `plan()` turns them into decisions. */
export interface CellSpec extends CellPlace {
  /** True: the user agreed in person to L0, which protects nothing. Required for it. */
  readonly isBareHost?: true
  /** A short name for messages and the audit log: `run claude`, `participant alpha`. */
  readonly name: string
  readonly agent?: CellAgent
  /** Program and arguments as the cell runs them. The program is looked up in the cell's PATH. */
  readonly command: readonly string[]
  /** Absolute path of the working directory in the cell. */
  readonly cwd: string
  /**
   * The project that the cell works on, at its own path, read-write, except that the files that run later on the host are
   * read-only. Absent if there is no project (contests use `mounts` instead).
   */
  readonly project?: string
  /** Paddock's copy of the project. It is mounted at the project's path, and the project itself is not in the cell. */
  readonly projectCopy?: string
  /** True if the project is a work tree that Paddock made for a task (`--worktree`). Nothing in it is protected, see `rulesIn`. */
  readonly taskTree?: boolean
  /** Names that run later and that a cell cannot use at the root of a tree even if no installed tool obeys them at once; true: all of them. */
  readonly strictNames?: boolean | readonly string[]
  /** What happens to files that other directories share by hard links. Default: `own`. */
  readonly deps?: SharedDeps
  readonly mounts: readonly MountWish[]
  readonly files: readonly SyntheticFile[]
  /** True if the cell gets files that describe its own limits (`cellFiles`). */
  readonly describesItself?: boolean
  readonly masks?: readonly MaskWish[]
  /** Directories of the host that do not exist in a cell of L1, except for what is mounted from them. No effect at other levels. */
  readonly hidden?: readonly string[]
  /** The private home: a persistent directory of the host, or a temporary tmpfs. */
  readonly home: PersistentHome | { readonly kind: 'temporary' }
  /** Where a cell with a persistent home keeps what it installs in the user's toolchains. Absent: in memory. */
  readonly toolLayers?: ToolLayers
  /** Rights that the other wishes do not show, such as a real credential in the cell, or all rights of the cell. See `rightsOf`. */
  readonly rights?: readonly string[] | Rights
  /** Files that the cell itself copies to the private home before the command starts. Paths are relative to the home; the mode is 0600. */
  readonly homeFiles?: readonly { readonly path: string; readonly content: string; readonly overwrite: boolean }[]
  /** Variables of the adapter and the user, in addition to the fixed allowlist (PATH, HOME, TERM, LANG, LC_*, TZ). */
  readonly env: Readonly<Record<string, string>>
  /** Directories at the start of PATH in the cell. They are in `mounts` or in the system. */
  readonly pathEntries: readonly string[]
  readonly egress: EgressPolicy
  /**
   * The credentials for which the cell has placeholders. The gateway swaps them in requests. The placeholders themselves are in `env`,
   * `files` or `homeFiles`.
   */
  readonly credentials?: readonly CellCredential[]
  /** Text that is added to the cell's system-wide git configuration. */
  readonly gitConfig?: string
  readonly limits: LimitWishes
  readonly defaultLimits?: DefaultLimits
  /** TCP ports of the cell's loopback that the host will connect to. */
  readonly publish?: readonly number[]
  /** True if the cell gets its own terminal. */
  readonly terminal: boolean
  /** Where the agent reads text that others wrote, as short phrases (`untrustedContent`). */
  readonly untrusted?: readonly string[]
  /** The rule about the lethal trifecta, and what removes a part of it. */
  readonly trifecta?: TrifectaWish
  /** Guarantees that the user gave up by name for this cell. */
  readonly degraded: readonly string[]
}

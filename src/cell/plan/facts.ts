import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { type GitUser, gitSettings, gitUser } from '../../git/settings.ts'
import type { Paths } from '../../paths.ts'
import { type HardLimits, readHardLimits } from './hard-limits.ts'
import { ownElsewhere } from './own-elsewhere.ts'
import type { RunLaterRow } from './protected/rows.ts'

/** What was found on this machine; all that `plan()` knows of it. */
export interface MachineFacts {
  readonly user: { readonly name: string; readonly uid: number; readonly gid: number; readonly home: string }
  readonly env: Readonly<Record<string, string>>
  readonly memoryBytes: number
  /** Absent: none. */
  readonly hardLimits?: HardLimits
  /** System directories and files a program needs, parents first; `link` if the path is a symbolic link. */
  readonly system: readonly { readonly path: string; readonly link: string | null }[]
  /** The user's toolchains: directories that hold programs and no secrets. */
  readonly toolchains: readonly { readonly source: string; readonly target: string }[]
  /** The user's home without links in its path, to compare with. */
  readonly realHome: string
  /** Directories of Paddock's own that no cell may see, and the ones below them that it may. */
  readonly ownDirectories: readonly string[]
  readonly ownMountable: readonly string[]
  readonly gitIdentity: { readonly name: string; readonly email: string } | null
  /** What the agents that Paddock knows run or obey later, besides what the table of other tools has. */
  readonly runLater: readonly RunLaterRow[]
  /** Variables with which agents take a bundle of certificates, besides the usual ones. */
  readonly bundleVariables: readonly string[]
  /** Files of /proc that show what belongs to the user and not to the cell, as far as the kernel has them. */
  readonly userProc?: readonly string[]
}

/** What cells are to know of the agents that Paddock knows, wherever these run. */
export interface AgentsOnMachine extends Pick<MachineFacts, 'runLater' | 'bundleVariables'> {
  /** Where installers put them, relative to the user's home; only directories of programs and libraries. */
  readonly toolchains: readonly string[]
}

/** What was found in the project: see `project-facts.ts`. All paths absolute. */
export interface ProjectFacts {
  readonly path: string
  /** Files and directories that run later and exist. */
  readonly present: readonly string[]
  /** The ones that do not exist and must not be created. */
  readonly absent: readonly { readonly path: string; readonly kind: 'file' | 'directory'; readonly inert: string }[]
  /** Directories that must not be renamed, parents first. */
  readonly guards: readonly string[]
  /** Symbolic links where a file that runs later would be. */
  readonly links: readonly string[]
  /** True if the root itself is a git directory (a bare repository). */
  readonly isRepository: boolean
  /** The paths in the project that configurations of git name, whether or not they exist. */
  readonly configured?: readonly string[]
  /** What of all that cannot be protected, one sentence each. */
  readonly unkept?: readonly string[]
  /** Inert entries of cells that another Paddock runs, which removes them when these end. */
  readonly foreign?: readonly string[]
  /** Unix sockets in the project. They reach programs of the host, so they are covered in the cell. */
  readonly sockets: readonly string[]
  /** The git directory of the repository that this worktree belongs to, if it is outside. */
  readonly outerGit: string | null
}

const systemPaths = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/run/current-system',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/pki/tls',
  '/etc/pki/ca-trust',
  '/etc/static/ssl',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/protocols',
  '/etc/services',
  '/etc/mime.types',
  '/etc/os-release',
  '/etc/debian_version',
  '/etc/terminfo',
  '/etc/inputrc',
  '/etc/fonts',
  '/etc/perl',
  '/etc/python3',
  '/etc/java-17-openjdk',
  '/etc/java-21-openjdk',
  '/etc/crypto-policies',
]

/** Relative to the user's home; only directories of programs and libraries, never one that also holds credentials. */
const toolchainPaths = [
  '.nvm',
  '.fnm',
  '.local/share/fnm',
  '.volta',
  '.asdf',
  '.local/share/mise',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.cargo/bin',
  'go/bin',
  'sdk',
  '.sdkman/candidates',
  '.bun/bin',
  '.deno/bin',
  '.local/bin',
  '.local/lib',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.local/share/pipx',
  '.linuxbrew',
]

/** Reads the machine. Cheap enough for every start: a few dozen lstat calls. */
export function inspectMachine(env: NodeJS.ProcessEnv, paths: Paths, agents: AgentsOnMachine): MachineFacts {
  const uid = process.getuid?.() ?? 0
  const system: { path: string; link: string | null }[] = []
  for (const each of systemPaths) {
    const link = linkOf(each)
    if (link !== undefined) system.push({ path: each, link: /^\/(bin|sbin|lib\w*)$/.test(each) ? link : null })
  }
  const toolchains = [
    ...[...toolchainPaths, ...agents.toolchains].map((each) => path.join(paths.userHome, each)),
    '/home/linuxbrew/.linuxbrew',
  ]
    .filter(isDirectory)
    .map((target) => ({ source: realpathSync(target), target }))
  return {
    user: { name: paths.userName, uid, gid: process.getgid?.() ?? 0, home: paths.userHome },
    env: Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined)),
    memoryBytes: totalmem(),
    hardLimits: readHardLimits(),
    system,
    toolchains,
    realHome: real(paths.userHome),
    ownDirectories: [paths.config, paths.state, paths.data, paths.cache, ...ownElsewhere(paths)].map(real),
    ownMountable: ['homes', 'scratch', 'snapshots', 'volumes'].map((each) => path.join(real(paths.state), each)),
    gitIdentity: gitIdentity(gitUser({ home: paths.userHome, name: paths.userName }, env)),
    runLater: agents.runLater,
    bundleVariables: agents.bundleVariables,
    // Names of keys are listed by user (keyrings(7)), through every namespace.
    userProc: ['/proc/keys', '/proc/key-users'].filter((each) => existsSync(each)),
  }
}

/** The target of a symbolic link, null for anything else that exists, undefined for nothing. */
function linkOf(file: string): string | null | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isSymbolicLink()) return null
  // A dangling link (NixOS has some) is as good as nothing.
  return existsSync(file) ? readlinkSync(file) : undefined
}

/** A path without links; what does not exist yet below its nearest existing ancestor. */
function real(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  const parent = path.dirname(file)
  return parent === file ? file : path.join(real(parent), path.basename(file))
}

function isDirectory(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}

/** `user.name` and `user.email` of the user's own configuration of git. */
function gitIdentity(user: GitUser): MachineFacts['gitIdentity'] {
  const { settings } = gitSettings(user.files, user)
  const last = (name: string): string | null =>
    [...settings, ...user.settings].findLast((each) => each.section === 'user' && each.subsection === '' && each.name === name)?.value ??
    null
  const [name, email] = [last('name'), last('email')]
  return name !== null && email !== null ? { name, email } : null
}

/** Returns directory entries, or none if the directory cannot be read. */
export function entriesOf(directory: string): ReturnType<typeof readDirectory> {
  try {
    return readDirectory(directory)
  } catch {
    return []
  }
}

function readDirectory(directory: string) {
  return readdirSync(directory, { withFileTypes: true })
}

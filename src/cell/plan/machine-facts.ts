import { existsSync, realpathSync } from 'node:fs'
import { totalmem, userInfo } from 'node:os'
import path from 'node:path'
import type { Paths } from '../../base/paths.ts'
import type { WayOut } from '../../egress/upstream/way-out.ts'
import { writableTrees } from '../../system/writable-trees.ts'
import type { ConfigView } from './config-view.ts'
import { goStamps } from './go-stamps.ts'
import { type HardLimits, readHardLimits } from './hard-limits.ts'
import type { HeldRepository } from './held/held-repository.ts'
import type { HostView } from './host-view.ts'
import { ownElsewhere } from './own-elsewhere.ts'
import { runLaterTable } from './protected/protected-paths.ts'
import type { RunLaterRow } from './protected/row-kinds.ts'
import type { DeclaredSubmodules } from './submodules/declared.ts'
import { submoduleScript } from './submodules/submodule-script.ts'
import { hostSystem, type SystemView } from './system-view/system-view.ts'
import type { WorkTreesView } from './work-trees-view.ts'

/** The facts about this machine. `plan()` knows nothing else about it. */
export interface MachineFacts {
  readonly user: { readonly name: string; readonly uid: number; readonly gid: number; readonly home: string }
  readonly env: Readonly<Record<string, string>>
  readonly memoryBytes: number
  /** Hard limits of this process. Absent if there are none. */
  readonly hardLimits?: HardLimits
  /** What cells see of the system of this machine. */
  readonly system: SystemView
  /** The user's home without symbolic links in its path, for comparisons. */
  readonly realHome: string
  /** The homes of the user without links: by HOME, and by the user database. */
  readonly homes?: readonly string[]
  /** Paddock's own directories that no cell may see. `ownMountable` has those inside them that a cell may see. */
  readonly ownDirectories: readonly string[]
  readonly ownMountable: readonly string[]
  /** Directories that earlier cells could write to. */
  readonly writableTrees?: readonly string[]
  /** Files that known agents run or obey later, in addition to the table of other tools. */
  readonly runLater: readonly RunLaterRow[]
  /** Signs of installed tools that obey files without asking (`RunLaterRow.tool`). */
  readonly tools?: readonly string[]
  /** Variables that agents use for a bundle of certificates, in addition to the usual ones. */
  readonly bundleVariables: readonly string[]
  /** Directories of known agents in a home, which contain their logins and histories. */
  readonly agentDirectories?: readonly string[]
  /** The host's files for a cell of L1. Absent for others. */
  readonly view?: HostView
  /** Data of known agents in private homes, which all cells of a home share (`homeParts`). */
  readonly homeData?: readonly string[]
  /** Files in /proc that show the user's data, or the memory of the cell's init, if the kernel has them. */
  readonly coveredProc?: readonly string[]
  /** The way from this machine to other hosts; absent: direct. */
  readonly wayOut?: Pick<WayOut, 'settings' | 'added'>
  /** The script that implements `git submodule`, if git has one. */
  readonly submoduleScript?: string | null
  /** True if Go stamps the programs that it builds with the state of their repository. */
  readonly goStamps?: boolean
}

/** Facts about known agents that every cell needs, whether or not they run in it. */
export interface AgentsOnMachine extends Pick<MachineFacts, 'runLater' | 'bundleVariables' | 'homeData' | 'agentDirectories'> {
  /** Installation directories relative to the user's home, which contain only programs and libraries. */
  readonly toolchains: readonly string[]
}

/** An entry that does not exist and would run later, with the content of the inert entry in its place. */
export interface AbsentEntry {
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly inert: string
}

/** The facts about the project, see `project-facts.ts`. All paths are absolute. */
export interface ProjectFacts {
  readonly path: string
  /** Existing files and directories that run later. */
  readonly present: readonly string[]
  /** Files and directories that would run later, do not exist, and must not be created. */
  readonly absent: readonly AbsentEntry[]
  /** Directories that must not be renamed, parents first. */
  readonly guards: readonly string[]
  /** Symbolic links that prevent a start, because what git obeys behind them cannot be protected. */
  readonly links: readonly string[]
  /** Symbolic links in place of a file that runs later, which stay as they are, with the paths outside the tree to which they lead. */
  readonly kept?: readonly (readonly [link: string, outside: string | null])[]
  /** True if the root itself is a git directory (a bare repository). */
  readonly isRepository: boolean
  /** The paths in the project that git configurations name, whether or not they exist. */
  readonly configured?: readonly string[]
  /** Problems that prevent protection, one sentence each. */
  readonly unkept?: readonly string[]
  /** Inert entries of cells that another Paddock runs. That Paddock removes them when these cells end. */
  readonly foreign?: readonly string[]
  /** Protected directories of hooks. A cell has private copies of them, which it may change. */
  readonly privateHooks?: readonly string[]
  /** Configs of git directories that are aside (`isConfigAside`). They and their directories are also in `present`. */
  readonly configViews?: readonly ConfigView[]
  /** Git directories that earlier cells made. They are writable, and laundered again at the end. */
  readonly laundered?: readonly string[]
  /** Unix sockets in the project. They belong to programs of the host, so they are covered in the cell. */
  readonly sockets: readonly string[]
  /** The git directory of the repository that this worktree belongs to, if it is outside of the project. */
  readonly outerGit: string | null
  /** Repositories whose git does not touch the protected paths. Absent if there are no such repositories. */
  readonly held?: readonly HeldRepository[]
  /** What the search found, for a comparison at the end. Absent in facts that no cell is compared with. */
  readonly listed?: ListedFiles
  /** What may lead out of the project. Absent in facts that were not searched. */
  readonly ways?: Ways
  /** True for a work tree in which nothing is protected. */
  readonly isTaskTree?: boolean
  /** Work trees of git in the project whose git directories the cell can write to. */
  readonly workTrees?: readonly WorkTree[]
  /** HEAD, index and operations in progress of the main work tree, if the project is a linked one. They are read-only. */
  readonly mainState?: readonly string[]
  /** Submodules that the config of their repository does not name. */
  readonly submodules?: readonly DeclaredSubmodules[]
  /** Configs that are read-only in the cell, and have this content there. */
  readonly shownConfigs?: readonly { readonly path: string; readonly content: string }[]
  /** Directories of linked work trees and of submodules' git directories in which new entries are kept apart. */
  readonly workTreeViews?: readonly WorkTreesView[]
}

/** Paths of a project, relative to it, that may lead out of it. */
export interface Ways {
  /** Symbolic links, except in directories of installed packages and git directories. */
  readonly links: readonly string[]
  /** Directories of installed packages. */
  readonly packages: readonly string[]
  /** Files of package managers that may name directories outside. */
  readonly manifests: readonly string[]
}

/** The files of a project at the start. Paths are relative to it. */
export interface ListedFiles {
  /** Everything that is neither a directory nor a socket nor protected, except in directories of `unlisted`. */
  readonly files: readonly string[]
  /** Directories that were not searched: installed packages, git directories and those that could not be read. */
  readonly unlisted: readonly string[]
}

/** A work tree, its own git directory (HEAD and index), and the one with the objects and refs. All paths are absolute. */
export interface WorkTree {
  readonly path: string
  readonly own: string
  readonly common: string
}

/** Reads the facts about this machine. Fast enough for every start: some hundred lstat calls. */
export function inspectMachine(env: NodeJS.ProcessEnv, paths: Paths, agents: AgentsOnMachine): MachineFacts {
  const uid = process.getuid?.() ?? 0
  const own = [paths.config, paths.state, paths.data, paths.cache, ...ownElsewhere(paths)].map(real)
  const writable = writableTrees(paths.state)
  return {
    user: { name: paths.userName, uid, gid: process.getgid?.() ?? 0, home: paths.userHome },
    env: Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined)),
    memoryBytes: totalmem(),
    hardLimits: readHardLimits(),
    system: hostSystem(env, paths, agents.toolchains, { own, writable }),
    realHome: real(paths.userHome),
    homes: [paths.userHome, ...homeInDatabase()].map(real),
    ownDirectories: own,
    ownMountable: [
      ...['homes', 'scratch', 'served-trees', 'snapshots', 'volumes'].map((each) => path.join(real(paths.state), each)),
      path.join(real(paths.data), 'worktrees'),
      path.join(real(paths.cache), 'setup/making'),
    ],
    writableTrees: writable,
    runLater: agents.runLater,
    tools: installedTools(env['PATH'] ?? '', paths.userHome, agents.runLater),
    bundleVariables: agents.bundleVariables,
    ...(agents.agentDirectories === undefined ? {} : { agentDirectories: agents.agentDirectories }),
    ...(agents.homeData === undefined ? {} : { homeData: agents.homeData }),
    // Names of keys are listed by user (keyrings(7)), regardless of namespaces. The init of a cell has the same user as its programs; the host
    // may hide its own (hidepid, proc(5)).
    coveredProc: [...['/proc/keys', '/proc/key-users'].filter((each) => existsSync(each)), '/proc/1/mem', '/proc/1/task/1/mem'],
    submoduleScript: submoduleScript(),
    goStamps: goStamps(env['PATH'] ?? ''),
  }
}

/** Returns the signs of installed tools among those in the table (`RunLaterRow.tool`). */
function installedTools(searchPath: string, home: string, runLater: readonly RunLaterRow[]): readonly string[] {
  const places = searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))
  const isThere = (sign: string): boolean =>
    sign.startsWith('~/') ? existsSync(path.join(home, sign.slice(2))) : places.some((each) => existsSync(path.join(each, sign)))
  const signs = runLaterTable(runLater).flatMap(({ tool = '' }) => tool.split(' ').filter(Boolean))
  return signs.filter(isThere)
}

/** Returns the links of a tree that stay as they are in the cell. */
export function keptLinks({ kept = [] }: Pick<ProjectFacts, 'kept'>): readonly string[] {
  return kept.map(([link]) => link)
}

/** Returns a path without symbolic links. A path that does not exist yet is resolved from its nearest existing ancestor. */
function real(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  const parent = path.dirname(file)
  return parent === file ? file : path.join(real(parent), path.basename(file))
}

/** Returns the user's home of the user database; none if it has no such user. */
function homeInDatabase(): readonly string[] {
  try {
    const { homedir } = userInfo()
    return path.isAbsolute(homedir) && homedir !== '/' ? [homedir] : []
  } catch {
    return []
  }
}

import { lazily } from '../../../base/lazily.ts'
import { type NameRule, nameRules } from './name-rules.ts'
import { runLaterTable } from './protected-paths.ts'
import { namesOf, type RunLaterRow } from './row-kinds.ts'

/**
 * Files that other programs of the host execute or obey later without being asked: an editor that opens the folder,
 * a shell that enters it, git, another agent. They are read-only in a cell; new ones are quarantined at its end.
 */
export interface RunLater {
  /** Path relative to the project or, with `anyDepth`, to any directory in it. `*` in the last name matches any part of that name. */
  readonly path: string
  readonly kind: 'file' | 'directory'
  /** True if entries of the other kind are harmless. */
  readonly onlyThisKind: boolean
  readonly anyDepth: boolean
  readonly why: string
  /** Content of the inert entry that may be created with this name at the root for the duration of a cell. Null if none ever is. */
  readonly inert: string | null
  /** Signs that the tool which obeys it is installed (`RunLaterRow.tool`). */
  readonly tool?: string
}

/** A file that stays writable in a cell and is reported at its end. `asked`: used only when the user asks a tool to do something. */
export interface NamedLater {
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly anyDepth: boolean
  readonly why: string
  readonly when: 'unasked' | 'asked' | 'script'
}

/** Rules for files in a git directory (`.git`, at any depth). A `commondir` file would make git use another config. */
export const runLaterOfGit: readonly RunLater[] = [
  ofGit('file', 'config', 'git runs commands that it names'),
  ofGit('file', 'config.worktree', 'git runs commands that it names'),
  ofGit('file', 'commondir', 'git would read its config from where it points', '.\n'),
  ofGit('directory', 'hooks', 'git runs the hooks in it'),
  ofGit('directory', 'remotes', 'git takes remotes from it'),
  ofGit('directory', 'branches', 'git takes remotes from it'),
  // The directory stays writable, because git gc writes info/refs.
  ofGit('file', 'info/exclude', 'git hides files by it', null),
  ofGit('file', 'info/attributes', 'git chooses by it how it shows files', null),
  ofGit('file', 'info/grafts', 'git shows another history by it', null),
]

/**
 * The lock that git takes to replace a configuration (git-config(1)). The kernel drops a mount when something is renamed over its mount
 * point, so a `git config` on the host would make the new file writable for a running cell.
 */
export const configLock = {
  path: 'config.lock',
  kind: 'file',
  inert: 'A cell of Paddock works in this repository. Git must not replace the config meanwhile: the cell could write the new one.\n',
} as const

function ofGit(kind: RunLater['kind'], path: string, why: string, inert: string | null = ''): RunLater {
  return { path, kind, onlyThisKind: false, anyDepth: false, why, inert }
}

function placeOf(name: string): Pick<RunLater, 'path' | 'kind' | 'anyDepth'> {
  return {
    path: name.replace(/^\/|\/$/g, ''),
    kind: name.endsWith('/') ? 'directory' : 'file',
    anyDepth: !name.startsWith('/'),
  }
}

/** The rules of one machine for names that run later. Paths are relative to a project. */
export interface RunLaterRules {
  /** Protected paths. If several rules have the same name, the first one counts. */
  readonly runLater: readonly RunLater[]
  /**
   * Returns the rule that protects the entry at a path, or null. Entries in a protected directory have no separate rules. A link counts
   * as a file. Without a kind, returns the rule for any entry with that name.
   */
  protectedAt(relative: string, kind?: RunLater['kind']): RunLater | null
  /** Returns `protectedAt` for folded paths, on file systems that compare folded names. */
  protectedWhere(fold: (name: string) => string): (folded: string) => RunLater | null
  /** Returns true for a directory that may contain a protected path, judged only by the paths. A link there would lead elsewhere. */
  isAboveProtected(relative: string): boolean
  /** Returns true for a directory that may contain a path with a rule of any kind. */
  isAboveLater(relative: string): boolean
  /** Returns the rule for a changed file that is reported at the end, or null. */
  namedAt(relative: string): NamedLater | null
  /** Returns `namedAt` for folded paths. */
  namedWhere(fold: (name: string) => string): (folded: string) => NamedLater | null
}

/** Trees of a cell, and what is obeyed there. */
export interface RulesOfTrees {
  /** Files that agents run or obey later, in addition to the table of other tools. */
  readonly runLater: readonly RunLaterRow[]
  /** Work trees that Paddock made for tasks. No program of the host has them open, so nothing in them is protected. */
  readonly taskTrees?: readonly string[]
}

/** Returns the rules for a tree of a cell. In a task's tree, files that are protected elsewhere are only reported. */
export function rulesIn(tree: string, { runLater, taskTrees = [] }: RulesOfTrees): RunLaterRules {
  return taskTrees.includes(tree) ? makeRules(runLaterTable(runLater).map(asReported)) : runLaterRules(runLater)
}

function asReported(row: RunLaterRow): RunLaterRow {
  return row.decision === 'inert' || row.decision === 'protected' ? { names: row.names, why: row.why, decision: 'unasked' } : row
}

const made = new WeakMap<readonly RunLaterRow[], RunLaterRules>()

/** Returns the rules of the table with the rows of these agents. Cached for each list of rows. */
export function runLaterRules(ofAgents: readonly RunLaterRow[]): RunLaterRules {
  const known = made.get(ofAgents) ?? makeRules(runLaterTable(ofAgents))
  made.set(ofAgents, known)
  return known
}

function makeRules(table: readonly RunLaterRow[]): RunLaterRules {
  const runLater = table.flatMap((row): RunLater[] => {
    const { decision, why, inert = '', tool = '', onlyThisKind = false } = row
    return decision === 'inert' || decision === 'protected'
      ? namesOf(row).map((each) => ({ ...placeOf(each), onlyThisKind, why, tool, inert: decision === 'inert' ? inert : null }))
      : []
  })
  // Computed lazily, because an empty directory does not need it.
  const named = lazily(() =>
    table.flatMap((row): NamedLater[] => {
      const { decision, why } = row
      return decision === 'inert' || decision === 'protected' ? [] : namesOf(row).map((each) => ({ ...placeOf(each), why, when: decision }))
    }),
  )
  const protecting = lazily(() => nameRules(runLater))
  const above = lazily(() => rulesAbove(runLater))
  const aboveNamed = lazily(() => rulesAbove(named()))
  const namedWhere = (fold: (name: string) => string): RunLaterRules['namedAt'] => namedRules(named(), fold)
  const namedAt = lazily(() => namedWhere((name) => name))
  return {
    runLater,
    protectedAt(relative, kind) {
      const rule = protecting()(relative)
      return rule?.onlyThisKind && kind !== undefined && kind !== rule.kind ? null : rule
    },
    protectedWhere: (fold) => nameRules(runLater, fold),
    isAboveProtected: (relative) => above()(relative) !== null,
    isAboveLater: (relative) => above()(relative) !== null || aboveNamed()(relative) !== null,
    namedAt: (relative) => namedAt()(relative),
    namedWhere,
  }
}

/** Returns rules for the directories above the paths of these rules. */
function rulesAbove(rules: readonly NameRule[]): (relative: string) => NameRule | null {
  return nameRules(
    rules.flatMap(({ path, anyDepth }) => [...path.matchAll(/\//g)].map(({ index }) => ({ path: path.slice(0, index), anyDepth }))),
  )
}

function namedRules(named: readonly NamedLater[], fold: (name: string) => string): RunLaterRules['namedAt'] {
  const [files, directories] = (['file', 'directory'] as const).map((kind) =>
    nameRules(
      named.filter((each) => each.kind === kind),
      fold,
    ),
  )
  return (relative) => {
    const file = files?.(relative) ?? null
    if (file !== null && file.when !== 'script') return file
    for (let at = relative; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const found = directories?.(at)
      if (found) return found
    }
    return file
  }
}

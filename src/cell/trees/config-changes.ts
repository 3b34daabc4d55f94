import { type GitConfigEntry, readGitConfig } from '../../git/config-syntax.ts'

export interface ConfigEnd {
  readonly declared: ReadonlySet<string>
  readonly hasBranch: (name: string) => boolean
  readonly current: string
}

/** What a cell changed in its copy of a config. */
export interface ConfigChanges {
  /** Keys of which the config gets the cell's values. None: the key is removed. */
  readonly taken: ReadonlyMap<string, readonly string[]>
  /** Other settings, as `KEY=VALUE`, or `KEY` if the cell removed it. */
  readonly left: readonly string[]
}

const mostTaken = 200

type Test = (value: string, remotes: ReadonlySet<string>) => boolean
const is =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value)
const isBool = is(/^(?:true|false)?$/)
const isRemote: Test = (value, remotes) => remotes.has(value)

/**
 * Settings that a cell may set if the config has no value, or a value of the same kind. They say what git has in its directory, or which of
 * the user's remotes a branch follows. None of them names a program, a file or an address.
 */
const settable: Readonly<Record<string, Test>> = {
  'core.repositoryformatversion': is(/^[01]$/),
  'extensions.partialclone': isRemote,
  'extensions.worktreeconfig': isBool,
  'extensions.relativeworktrees': isBool,
  'lfs.repositoryformatversion': is(/^\d+$/),
}
/** The same by section and name, with any subsection. They are never set anew where the config has another value. */
const settableOf: Readonly<Record<string, Test>> = {
  'branch.remote': (value, remotes) => value === '.' || remotes.has(value),
  'branch.merge': (value) => /^refs\/heads\/[^\s:]+$/.test(value) && !value.includes('..'),
  'branch.rebase': is(/^(?:true|false|merges)$/),
  'branch.description': () => true,
  'remote.promisor': isBool,
  'remote.partialclonefilter': is(/^[a-z0-9:=+,._-]+$/i),
}

/**
 * Compares the copy of a config that a cell had with its text at the start. A copy that git would refuse changes nothing. The settings of
 * submodules and of branches that are gone may be removed, as `git submodule deinit` and `git branch -d` do. `declared`: names of
 * submodules whose settings are written in another way (`registerSubmodules`). `hasBranch` returns true for a branch that exists. `current`: the
 * text of the config at the end. A setting that was changed there too stays as it is.
 */
export function configChanges(before: string, after: string, { declared, hasBranch, current }: ConfigEnd): ConfigChanges {
  const [old, read] = [valuesOf(readGitConfig(before).entries), readGitConfig(after)]
  const now = read.badLine === null ? valuesOf(read.entries) : old
  const onHost = valuesOf(readGitConfig(current).entries)
  const remotes = new Set([...old.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []))
  const taken = new Map<string, readonly string[]>()
  const left: string[] = []
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [had, has] = [old.get(key) ?? [], now.get(key) ?? []]
    if (isSame(had, has) || isSame(has, onHost.get(key) ?? [])) continue
    if (has.length > 0 && had.length === 0 && declared.has(/^submodule\.(.+)\.(?:url|active|update)$/s.exec(key)?.[1] ?? '')) continue
    // Git unsets it with `git submodule deinit`, and sets it again with `update`.
    if (key === 'core.worktree' && has.length === 0) continue
    const isOurs = has.length === 0 ? isGone(key, hasBranch) : isSettable(key, had, has, remotes)
    if (isOurs && taken.size < mostTaken && isSame(had, onHost.get(key) ?? [])) taken.set(key, has)
    else left.push(...(has.length === 0 ? [key] : has.map((each) => `${key}=${each}`)))
  }
  return { taken, left }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, at) => each === b[at])

function isGone(key: string, hasBranch: (name: string) => boolean): boolean {
  const branch = /^branch\.(.+)\.[^.]+$/s.exec(key)?.[1]
  return branch === undefined ? /^submodule\..+\.[^.]+$/s.test(key) : !hasBranch(branch)
}

function isSettable(key: string, had: readonly string[], has: readonly string[], remotes: ReadonlySet<string>): boolean {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const subsection = first === last ? null : key.slice(first + 1, last)
  if (/[\0\r\n]/.test(`${key}${has.join('')}`)) return false
  const test = subsection === null ? settable[key] : settableOf[`${key.slice(0, first)}.${key.slice(last + 1)}`]
  if (test === undefined || !has.every((each) => test(each, remotes))) return false
  if (subsection === null) return has.length === 1
  return had.length === 0 && (!key.startsWith('remote.') || remotes.has(subsection))
}

/** Returns all values of each key. A name without a value is the same as `true`. */
function valuesOf(entries: readonly GitConfigEntry[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  for (const { key, value } of entries) all.set(key, [...(all.get(key) ?? []), value ?? 'true'])
  return all
}

import path from 'node:path'
import { type GitConfigEntry, readGitConfig } from '../../../git/config-syntax.ts'
import { isRemoteAddress } from '../../../git/remote-address.ts'

export interface LaunderedConfig {
  /** The configuration with only the kept entries. */
  readonly text: string
  /** Keys of the entries that were left out. */
  readonly removed: readonly string[]
}

export interface ConfigRules {
  /** Returns true for the absolute path of a repository from which git may fetch. */
  readonly isOwnPath: (file: string) => boolean
  /** The only value of `core.worktree` that is kept; null: none. */
  readonly workTree: string | null
}

const bool = /^(?:true|false|yes|no|on|off|0|1)?$/i
const refspec = /^\^?\+?refs\/[\w./*@+-]+(?::refs\/[\w./*@+-]+)?$/

type Test = (value: string, rules: ConfigRules, remotes: ReadonlySet<string>) => boolean
const is =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value)

const isUrl: Test = (value, rules) => {
  const file = /^(?:file:\/\/)?(\/.*)$/.exec(value)?.[1]
  return file === undefined ? isRemoteAddress(value) : !value.includes('::') && path.normalize(file) === file && rules.isOwnPath(file)
}
const isRemote: Test = (value, _, remotes) => value === '.' || remotes.has(value)

/** The kept variables without a subsection (git-config(1)). None of them names a program or a file to read. */
const plain: Readonly<Record<string, Test>> = {
  'core.repositoryformatversion': is(/^[01]$/),
  'core.bare': is(bool),
  'core.filemode': is(bool),
  'core.ignorecase': is(bool),
  'core.symlinks': is(bool),
  'core.precomposeunicode': is(bool),
  'core.logallrefupdates': is(/^(?:true|false|always)$/i),
  'core.worktree': (value, { workTree }) => value === workTree,
  'extensions.objectformat': is(/^sha(?:1|256)$/),
  'extensions.partialclone': isRemote,
  'index.version': is(/^[234]$/),
}
/** The kept variables by section and name, with any subsection. */
const named: Readonly<Record<string, Test>> = {
  'remote.url': isUrl,
  'remote.pushurl': isUrl,
  'remote.fetch': (value) => refspec.test(value) && !value.includes('..'),
  'remote.tagopt': is(/^--(?:no-)?tags$/),
  'remote.promisor': is(bool),
  'remote.partialclonefilter': is(/^[a-z0-9:=+,._-]+$/i),
  'branch.remote': isRemote,
  'branch.pushremote': isRemote,
  'branch.merge': (value) => /^refs\/heads\/[^\s:]+$/.test(value) && !value.includes('..'),
  'branch.rebase': is(/^(?:true|false|merges)$/),
  'submodule.url': isUrl,
  'submodule.active': is(bool),
  'submodule.update': is(/^(?:checkout|rebase|merge|none)$/),
}

/**
 * Returns a configuration that can run no program and leads git nowhere, with the entries that an allowlist of keys and values permits.
 */
export function launderedConfig(entries: readonly GitConfigEntry[], rules: ConfigRules): LaunderedConfig {
  const remotes = new Set(
    entries.flatMap(({ key, value }) => {
      const { section, subsection, name } = partsOf(key)
      return section === 'remote' && name === 'url' && isUrl(value ?? '', rules, new Set()) ? [subsection ?? ''] : []
    }),
  )
  const lines: string[] = []
  const removed: string[] = []
  let header = ''
  for (const { key, value } of entries) {
    const { section, subsection, name } = partsOf(key)
    const test = subsection === null ? plain[key] : isName(subsection) ? named[`${section}.${name}`] : undefined
    if (test === undefined || (value !== null && /[\0\r\n\ufffd]/.test(value)) || !test(value ?? '', rules, remotes)) {
      removed.push(key)
      continue
    }
    const next = subsection === null ? `[${section}]` : `[${section} ${quoted(subsection)}]`
    if (next !== header) lines.push(next)
    header = next
    lines.push(value === null ? `\t${name}` : `\t${name} = ${quoted(value)}`)
  }
  return { text: lines.map((each) => `${each}\n`).join(''), removed }
}

/** Returns the length in bytes of the object IDs in a repository with this configuration (gitrepository-layout(5), repository format). */
export function hashBytesOf(config: string): number {
  const { entries } = readGitConfig(config)
  const last = (key: string): string | null => entries.findLast((each) => each.key === key)?.value ?? null
  // Without version 1, git ignores or refuses the extension.
  return last('core.repositoryformatversion') === '1' && last('extensions.objectformat') === 'sha256' ? 32 : 20
}

/** Returns the parts of a key. The subsection is null if there is none. */
function partsOf(key: string): { section: string; subsection: string | null; name: string } {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  return { section: key.slice(0, first), subsection: first === last ? null : key.slice(first + 1, last), name: key.slice(last + 1) }
}

/** Returns true for the name of a remote, branch or submodule. A submodule's name becomes part of a path. */
function isName(text: string): boolean {
  return text !== '' && !/[\x00-\x1f\x7f\ufffd]/.test(text) && !text.split('/').includes('..')
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t')}"`
}

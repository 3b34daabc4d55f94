import { closeSync, constants, existsSync, lchownSync, lstatSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { removeExclusions } from '../../cell/trees/git-exclude.ts'
import type { SourceRepository } from '../../cell/trees/source-repository.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { WalkTooLarge, walk } from '../../files/walk.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { pathOf } from '../copy-names.ts'
import { mostIgnoreBytes } from './copy-bounds.ts'
import type { FileTaker } from './file-taker.ts'

/** Single files of a git directory that are data (gitrepository-layout(5)): HEAD, the index, a merge in progress. */
const ownFiles = ['HEAD', 'index', 'ORIG_HEAD', 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
const commonFiles = ['packed-refs', 'shallow']
const excludes = 'info/exclude'
const commonDirectories = ['objects', 'refs', 'reftable']

/** Settings that change how git handles files but do not name a program, each with a pattern for its value. */
const carried: readonly (readonly [section: string, name: string, value: RegExp])[] = [
  ['core', 'fileMode', /^(true|false)$/i],
  ['core', 'ignoreCase', /^(true|false)$/i],
  ['core', 'symlinks', /^(true|false)$/i],
  ['core', 'precomposeUnicode', /^(true|false)$/i],
  ['core', 'autocrlf', /^(true|false|input)$/i],
  ['core', 'eol', /^(lf|crlf|native)$/i],
  ['extensions', 'objectFormat', /^(sha1|sha256)$/],
  ['extensions', 'refStorage', /^(files|reftable)$/],
  ['user', 'name', /^[^"\\\r\n;#]{1,200}$/],
  ['user', 'email', /^[^"\\\r\n;#\s]{1,200}$/],
]

/**
 * Makes a git directory for a copy from that of a work tree. It copies objects, refs, HEAD and index, and writes a new
 * configuration. No git runs for this and nothing is shared, for these reasons:
 * - a linked worktree's `.git` would point into the project, whose hooks and configuration would apply;
 * - a local clone shares object files by hard links, which the agent could write through (they belong to its uid);
 * - a clone reads the project's configuration; remotes in it may contain passwords.
 * Objects borrowed from other repositories (objects/info/alternates) are not copied, because the file can name any repository of the user.
 * Returns notes for the user.
 */
export async function copyGitDirectory(from: SourceRepository, to: string, taker: FileTaker): Promise<readonly string[]> {
  const notes: string[] = []
  const owner = statSync(from.common)
  const make = (directory: string): void => {
    mkdirSync(directory, { recursive: true, mode: 0o755 })
    if (process.geteuid?.() === 0) lchownSync(directory, owner.uid, owner.gid)
  }
  for (const each of ['', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'info']) make(path.join(to, each))
  for (const each of ownFiles) await takeOne(path.join(from.own, each), path.join(to, each), taker)
  for await (const entry of walk(from.own, { maxEntries: 100_000, maxDepth: 1 })) {
    entry.skip()
    const name = pathOf(entry.names)
    if (entry.kind === 'file' && name?.startsWith('sharedindex.')) await takeOne(path.join(from.own, name), path.join(to, name), taker)
  }
  for (const each of commonFiles) if (isPlain(from.common, each)) await takeOne(path.join(from.common, each), path.join(to, each), taker)
  if (!(await takeExcludes(from, to, taker)))
    notes.push(`${excludes} of its git directory does not count: it is not a plain file of at most 1 MB`)
  for (const each of commonDirectories) if (existsSync(path.join(from.common, each))) await takeAll(from.common, to, each, taker, make)
  if (existsSync(path.join(from.common, 'objects/info/alternates')))
    notes.push('some of the history is in another repository (objects/info/alternates) and is not in the copy')
  const config = path.join(to, 'config')
  writeFileSync(config, newConfig(readRegularSync(configFileOf(from.common), 1024 ** 2) ?? ''), { flag: 'wx', mode: 0o644 })
  if (process.geteuid?.() === 0) lchownSync(config, owner.uid, owner.gid)
  return notes
}

/** Makes a git directory with only the ignore rules, for queries about a tree that was in a cell. */
export async function makeRules(from: SourceRepository, to: string, taker: FileTaker): Promise<void> {
  for (const each of ['', 'objects', 'refs', 'info']) mkdirSync(path.join(to, each), { mode: 0o700 })
  writeFileSync(path.join(to, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(path.join(to, 'config'), newConfig(readRegularSync(configFileOf(from.common), 1024 ** 2) ?? ''))
  await takeExcludes(from, to, taker)
}

/** Copies the exclude file, which git reads whole for each query. Returns false if git should not read it. */
async function takeExcludes(from: SourceRepository, to: string, taker: FileTaker): Promise<boolean> {
  const file = path.join(from.common, excludes)
  const stat = isPlain(from.common, excludes) ? lstatSync(file, { throwIfNoEntry: false }) : undefined
  if (stat === undefined) return true
  if (!stat.isFile() || stat.size > mostIgnoreBytes) return false
  await takeOne(file, path.join(to, excludes), taker)
  // A cell may be running in the project, and its exclusions must not be in the copy.
  removeExclusions(path.join(to, excludes), null)
  return true
}

/** Returns true if the directory of a file is not a link. */
function isPlain(root: string, file: string): boolean {
  const stat = lstatSync(path.dirname(path.join(root, file)), { throwIfNoEntry: false })
  return stat?.isDirectory() === true
}

/** Returns a configuration with only the data of the old one. */
export function newConfig(old: string): string {
  const values = new Map<string, string>()
  let section = ''
  for (const line of old.split('\n')) {
    section = /^\s*\[\s*([A-Za-z0-9.-]+)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? (/^\s*\[/.test(line) ? '' : section)
    const [, name = '', raw = ''] = /^\s*(?:\[[^\]]*\]\s*)?([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    values.set(`${section}.${name.toLowerCase()}`, raw.replace(/^"(.*)"$/, '$1'))
  }
  const kept = carried.flatMap(([in_, name, shape]) => {
    const value = values.get(`${in_}.${name.toLowerCase()}`)
    return value !== undefined && shape.test(value) ? [{ section: in_, line: `\t${name} = ${in_ === 'user' ? `"${value}"` : value}` }] : []
  })
  const version = kept.some((each) => each.section === 'extensions') ? 1 : 0
  const lines = [`[core]`, `\trepositoryformatversion = ${version}`, '\tbare = false', '\tlogAllRefUpdates = true']
  for (const each of ['core', 'extensions', 'user']) {
    const own = kept.filter((line) => line.section === each).map((line) => line.line)
    if (own.length > 0) lines.push(...(each === 'core' ? [] : [`[${each}]`]), ...own)
  }
  return `${lines.join('\n')}\n`
}

async function takeOne(from: string, to: string, taker: FileTaker): Promise<void> {
  let descriptor: number
  try {
    descriptor = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return
  }
  try {
    await taker.file(descriptor, to)
  } finally {
    closeSync(descriptor)
  }
}

/** Copies the regular files of a directory in the git directory, except for unfinished files and locks. */
async function takeAll(from: string, to: string, name: string, taker: FileTaker, make: (directory: string) => void): Promise<void> {
  try {
    for await (const entry of walk(path.join(from, name), { maxEntries: 5_000_000, maxDepth: 60 })) {
      const relative = pathOf(entry.names)
      if (relative === null) entry.skip()
      else if (entry.kind === 'directory') make(path.join(to, name, relative))
      else if (entry.kind === 'file' && !/(^|\/)(tmp_|alternates$|http-alternates$)|\.lock$/.test(relative)) {
        let descriptor: number
        try {
          descriptor = entry.open()
        } catch {
          // The object was packed or deleted in the meantime.
          continue
        }
        try {
          await taker.file(descriptor, path.join(to, name, relative))
        } finally {
          closeSync(descriptor)
        }
      }
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge)) throw error
    throw new Error(`${path.join(from, name)} has ${error.message}`, { cause: error })
  }
}

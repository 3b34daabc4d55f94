import { lstatSync } from 'node:fs'
import path from 'node:path'
import { walk } from '../../../files/walk.ts'
import { hostProgram } from '../../../system/host-program.ts'
import type { LinkedName } from '../../plan/shared-files.ts'
import { foundBy } from './run-find.ts'

export interface LinkedNames {
  readonly linked: readonly LinkedName[]
  /** Names that a killed Paddock may have left when it made own copies. Like the paths of the others, one character for each byte. */
  readonly left: readonly string[]
  /** All directories, as `DEVICE INODE PATH`. Null: not known. */
  readonly directories: readonly string[] | null
}

const bounds = { maxEntries: Number.MAX_SAFE_INTEGER, maxDepth: 200 }
/** Looking at so many entries takes less time than starting find(1). */
const few = { ...bounds, maxEntries: 250 }
/** The names that `own-copies.pl` uses. */
const leftNames = /^\.paddock-own-[0-9a-f]{12}$/

/**
 * Finds all names of files with several names in these directories, except files of another user that this one cannot write to. Every file
 * is looked at, because a link that somebody makes elsewhere changes nothing in the directory of the file. Other programs may change the
 * directories meanwhile; no link is followed. `except`: directories that are not searched.
 */
export async function linkedNames(roots: readonly string[], except: readonly string[] = []): Promise<LinkedNames> {
  return (await beginSearch(roots, except)).found
}

/** Does the same, but returns as soon as the search goes on in another process, or has ended. */
export async function beginSearch(
  roots: readonly string[],
  except: readonly string[],
): Promise<{ readonly found: Promise<LinkedNames> | LinkedNames }> {
  if (roots.length === 0 || (await isSmallWithoutAny(roots, except))) return { found: { linked: [], left: [], directories: null } }
  return { found: searched(roots, except) }
}

async function searched(roots: readonly string[], except: readonly string[]): Promise<LinkedNames> {
  const find = hostProgram('find')
  const found = (find === null ? null : await listed(find, roots, except)) ?? (await walked(roots, except))
  return { ...found, linked: distinct(found.linked) }
}

/** Returns true if the directories have few entries, all of them were seen, and none is to be found. */
async function isSmallWithoutAny(roots: readonly string[], except: readonly string[]): Promise<boolean> {
  try {
    for (const root of roots)
      for await (const entry of walk(root, few)) {
        if (entry.kind === 'unknown' || entry.notEntered !== undefined) return false
        const name = entry.names.at(-1)?.toString('latin1') ?? ''
        if (entry.kind === 'directory' && except.includes(path.join(root, ...entry.names.map(String)))) entry.skip()
        if (entry.kind === 'file' && (leftNames.test(name) || entry.lstat()?.nlink !== 1)) return false
      }
    return true
  } catch {
    // There are more, or a root cannot be read, or is gone.
    return false
  }
}

/** Lets find(1) look, in another process, because this one plans the cell meanwhile. Null if it is not the one of GNU. */
async function listed(find: string, roots: readonly string[], except: readonly string[]): Promise<LinkedNames | null> {
  const uid = process.getuid?.() ?? 0
  // A user can change the mode of own files, and root that of all.
  const changeable = uid === 0 ? [] : ['(', '-uid', String(uid), '-o', '-writable', ')']
  const words = [
    ...except.flatMap((each) => ['-path', each.replaceAll(/[\\*?[]/g, '\\$&'), '-prune', '-o']),
    ...['-type', 'd', '-printf', 'd%D %i %p\\0', '-o', '-type', 'f', '('],
    ...['-links', '+1', ...changeable, '-printf', '%D %i %n %b %p\\0', '-o', '-name', '.paddock-own-*', '-printf', 'left %p\\0', ')'],
  ]
  const parts = await foundBy(find, roots, words)
  if (parts === null) return null
  const linked: LinkedName[] = []
  const left: string[] = []
  const directories: string[] = []
  for (const part of parts) {
    if (part.startsWith('d')) {
      directories.push(part.slice(1))
      continue
    }
    const [, device, inode, names, blocks, file] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/s.exec(part) ?? []
    if (file !== undefined) linked.push({ file: `${device} ${inode}`, names: Number(names), bytes: Number(blocks) * 512, path: file })
    const at = file ?? (part.startsWith('left ') ? part.slice(5) : null)
    if (at !== null && leftNames.test(path.basename(at))) left.push(at)
  }
  return { linked, left, directories }
}

async function walked(roots: readonly string[], except: readonly string[]): Promise<LinkedNames> {
  const linked: LinkedName[] = []
  const left: string[] = []
  const unsearched = except.map((each) => `${Buffer.from(each).toString('latin1')}/`)
  for (const root of roots)
    for await (const entry of walk(root, bounds)) {
      const stat = entry.kind === 'file' ? entry.lstat() : null
      if (stat === null) continue
      const file = [Buffer.from(root).toString('latin1'), ...entry.names.map((each) => each.toString('latin1'))].join('/')
      if (unsearched.some((each) => file.startsWith(each))) continue
      if (stat.nlink > 1) linked.push({ file: `${stat.dev} ${stat.ino}`, names: stat.nlink, bytes: stat.blocks * 512, path: file })
      if (leftNames.test(path.basename(file))) left.push(file)
    }
  return { linked, left, directories: null }
}

/** Leaves out names that are found twice, because their directory is mounted at two places, or because one root is in another. */
function distinct(linked: readonly LinkedName[]): readonly LinkedName[] {
  const directories = new Map<string, string>()
  const idOf = (directory: string): string => {
    const stat = lstatSync(Buffer.from(directory, 'latin1'), { throwIfNoEntry: false })
    const id = stat === undefined ? directory : `${stat.dev} ${stat.ino}`
    directories.set(directory, id)
    return id
  }
  const seen = new Set<string>()
  return linked.filter((each) => {
    const directory = path.dirname(each.path)
    const name = `${directories.get(directory) ?? idOf(directory)}/${path.basename(each.path)}`
    return !seen.has(name) && seen.add(name)
  })
}

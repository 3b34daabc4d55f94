import { lstatSync } from 'node:fs'
import path from 'node:path'
import { walk } from '../../../files/walk.ts'
import { hostProgram } from '../../../system/host-program.ts'
import { spawn } from '../../../system/start.ts'
import type { LinkedName } from '../../plan/shared-files.ts'

export interface LinkedNames {
  readonly linked: readonly LinkedName[]
  /** Names that a killed Paddock may have left when it made own copies. Like the paths of the others, one character for each byte. */
  readonly left: readonly string[]
}

const bounds = { maxEntries: Number.MAX_SAFE_INTEGER, maxDepth: 200 }
/** The names that `own-copies.pl` uses. */
const leftNames = /^\.paddock-own-[0-9a-f]{12}$/

/**
 * Finds all names of files with several names in these directories, except files of another user that this one cannot write to. Every file
 * is looked at, because a link that somebody makes elsewhere changes nothing in the directory of the file. Other programs may change the
 * directories meanwhile; no link is followed. `except`: directories that are not searched.
 */
export async function linkedNames(roots: readonly string[], except: readonly string[] = []): Promise<LinkedNames> {
  if (roots.length === 0) return { linked: [], left: [] }
  const find = hostProgram('find')
  const found = (find === null ? null : await listed(find, roots, except)) ?? (await walked(roots, except))
  return { ...found, linked: distinct(found.linked) }
}

/** Lets find(1) look, in another process, because this one plans the cell meanwhile. Null if it is not the one of GNU. */
async function listed(find: string, roots: readonly string[], except: readonly string[]): Promise<LinkedNames | null> {
  const uid = process.getuid?.() ?? 0
  // A user can change the mode of own files, and root that of all.
  const changeable = uid === 0 ? [] : ['(', '-uid', String(uid), '-o', '-writable', ')']
  const words = [
    ...['-path', '/', '-printf', 'end\\0', '-prune', '-o'],
    ...except.flatMap((each) => ['-path', each.replaceAll(/[\\*?[]/g, '\\$&'), '-prune', '-o']),
    ...['-type', 'f', '('],
    ...['-links', '+1', ...changeable, '-printf', '%D %i %n %b %p\\0', '-o', '-name', '.paddock-own-*', '-printf', 'left %p\\0', ')'],
  ]
  // The last starting point shows that the search is complete.
  const child = spawn(find, ['-P', ...roots, '/', ...words], { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', env: { LC_ALL: 'C' } })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve) => child.once('error', () => resolve()).once('close', () => resolve()))
  const parts = Buffer.concat(chunks).toString('latin1').split('\0')
  if (parts.at(-2) !== 'end') return null
  const linked: LinkedName[] = []
  const left: string[] = []
  for (const part of parts) {
    const [, device, inode, names, blocks, file] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/s.exec(part) ?? []
    if (file !== undefined) linked.push({ file: `${device} ${inode}`, names: Number(names), bytes: Number(blocks) * 512, path: file })
    const at = file ?? (part.startsWith('left ') ? part.slice(5) : null)
    if (at !== null && leftNames.test(path.basename(at))) left.push(at)
  }
  return { linked, left }
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
  return { linked, left }
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

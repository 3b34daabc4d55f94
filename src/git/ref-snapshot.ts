import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegularBytes } from '../files/read-regular.ts'
import { textOfHead, workTreeDirectories } from './tips.ts'

/** All refs of a repository and the detached HEADs of its work trees, with their object IDs. */
export type RefSnapshot = Readonly<Record<string, string>>

const mostRefs = 20_000
const mostPackedBytes = 64 * 1024 ** 2
const mostLooseBytes = 4096
/** A ref as git reads it: an ID of any case, and then the end or a blank (read_ref in git's refs/files-backend.c). */
const looseId = /^([0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/i

/**
 * Returns the refs of a repository, given its common git directory. A ref that leads to another one, or that cannot be read, has the empty
 * ID. Null if there are too many, or if a directory cannot be read. `headOf`: returns the text of the HEAD in a work tree's git directory.
 */
export function refSnapshot(common: string, headOf = textOfHead): RefSnapshot | null {
  try {
    const found: Record<string, string> = Object.create(null) as Record<string, string>
    const packed = textOf(path.join(common, 'packed-refs'), mostPackedBytes) ?? ''
    for (const [, id = '', ref = ''] of packed.matchAll(/^([0-9a-f]{40,64}) (refs\/\S+)/gim)) found[ref] = id.toLowerCase()
    const queue = ['refs']
    let seen = 0
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const entry of readdirSync(path.join(common, at), { withFileTypes: true })) {
        if (++seen > mostRefs) return null
        const ref = `${at}/${entry.name}`
        if (entry.isDirectory()) queue.push(ref)
        else found[ref] = idIn(path.join(common, ref))
      }
    }
    for (const each of workTreeDirectories(common)) {
      const head = headOf(each)
      if (!head.startsWith('ref:')) found[headKey(common, each)] = looseId.exec(head)?.[1]?.toLowerCase() ?? ''
    }
    return Object.keys(found).length > mostRefs ? null : found
  } catch {
    return null
  }
}

/** Returns the key of a work tree's detached HEAD in a snapshot. `own`: the git directory of the work tree. */
export function headKey(common: string, own: string): string {
  return `HEAD ${path.relative(common, own)}`
}

function idIn(file: string): string {
  return looseId.exec(textOf(file, mostLooseBytes) ?? '')?.[1]?.toLowerCase() ?? ''
}

function textOf(file: string, mostBytes: number): string | null {
  return readRegularBytes(file, mostBytes)?.toString('latin1') ?? null
}

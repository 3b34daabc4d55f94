import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathOf, textOf } from '../../copy/copy-names.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { walk } from '../../files/walk.ts'
import { leftOutOf } from './left-out.ts'
import { maxDepth } from './seal.ts'
import type { Seal } from './seal-schema.ts'

const mostEntries = 1_000_000

/**
 * Restores the symbolic links that participants started with in an unsealed submission, if its participant kept them. Seals leave all links
 * out, and a program may need them. No existing file is replaced, and no link is followed.
 */
export async function restoreLinks(start: string, seal: Seal, target: string): Promise<void> {
  if (seal.droppedCount === 0) return
  const isLeftOut = leftOutOf(seal)
  for await (const entry of walk(start, { maxEntries: mostEntries, maxDepth })) {
    if (entry.kind !== 'symlink') continue
    const name = pathOf(entry.names)
    const leadsTo = name === null ? null : textOf(entry.readlink())
    if (name === null || leadsTo === null || !isLeftOut(name)) continue
    const place = path.join(target, name)
    if (kindBelow(target, place) !== null || !makesRoom(target, path.dirname(place))) continue
    symlinkSync(leadsTo, place)
  }
}

/** Returns true if a directory exists, or could be created, without a link in its path. */
function makesRoom(root: string, directory: string): boolean {
  if (directory === root) return true
  const kind = kindBelow(root, directory)
  if (kind !== null) return kind === 'directory'
  if (!makesRoom(root, path.dirname(directory))) return false
  mkdirSync(directory)
  return true
}

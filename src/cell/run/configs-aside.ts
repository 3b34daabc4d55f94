import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { asideName, isConfigAside } from '../../git/config-put-aside.ts'
import type { ConfigView } from '../plan/config-view.ts'
import { contains } from '../plan/filesystem.ts'
import { moveConfigAside } from '../trees/config-aside.ts'
import { configStarts } from '../trees/config-views.ts'
import { type KnownEntry, knownEntries } from '../trees/known-entries.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'

/**
 * Returns a function that moves the config of a git directory aside (`moveConfigAside`) and adds the git directory to `moved`. Not in a tree of
 * a running cell, which found the config in its place or made the git directory, and can replace its files meanwhile. Not of a bare
 * repository, whose files git may track in another one.
 */
export function moveConfigsAside(registry: CellRegistry, moved: string[]): (git: string) => void {
  return (git) => {
    const config = path.join(git, 'config')
    if (!`${git}/`.includes('/.git/') || isConfigAside(config)) return
    registry.alone(() => {
      const isInCell = registry.all().some(({ trees, outerGits = [] }) => [...trees, ...outerGits].some((each) => contains(each, git)))
      if (!isInCell && moveConfigAside(git)) moved.push(git)
    })
  }
}

/** How long to wait for the locks of git on the host, in milliseconds. */
const patienceMs = 2_000

/**
 * Writes the record of a cell for the first time, with `write`, when its configs are aside and their texts are known: the end of another cell
 * may have moved them back since the plan. `views`: how the cell sees them.
 * @throws PaddockError `UNENFORCEABLE` if a config cannot be read
 */
export async function recordAside(
  registry: CellRegistry,
  record: CellRecord,
  views: readonly ConfigView[],
  write: (record: CellRecord) => void,
): Promise<void> {
  const gits = record.aside ?? []
  if (gits.length === 0) return write(record)
  const files = new Set(gits.flatMap((each) => [path.join(each, 'config'), path.join(each, asideName)]))
  const now = (entries: readonly KnownEntry[]): KnownEntry[] => [
    ...entries.filter(([file]) => !files.has(file)),
    ...knownEntries([...files]),
  ]
  const until = Date.now() + patienceMs
  const isWritten = (): boolean =>
    registry.alone(() => {
      const areAside = gits.map((each) => moveConfigAside(each)).every((each) => each)
      if (!areAside && Date.now() < until) return false
      const configs = configStarts(views)
      write({ ...record, known: now(record.known), ...(record.gitLinks ? { gitLinks: now(record.gitLinks) } : {}), configs })
      return true
    })
  while (!isWritten()) await setTimeout(10)
}

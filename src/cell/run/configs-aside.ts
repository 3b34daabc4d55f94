import path from 'node:path'
import { kindBelow } from '../../files/kind-below.ts'
import { asideName, isConfigAside } from '../../git/config-aside.ts'
import { commonDirectory, outerRepository } from '../plan/git-facts.ts'
import type { CellSpec } from '../plan/spec.ts'
import { moveConfigAside } from '../trees/config-aside.ts'
import { type KnownEntry, knownEntries } from '../trees/known-entries.ts'
import type { CellRecord, CellRegistry } from './registry.ts'

/**
 * Moves the configs aside of the repositories whose work trees a cell may write to (`moveConfigAside`). Not of one in which a running cell
 * found the config in its place. Returns the git directories of those that were moved.
 */
export function moveConfigsAside(registry: CellRegistry, { project, projectCopy, mounts }: CellSpec): readonly string[] {
  const trees = mounts.filter((each) => each.access === 'rw' && (each.reason ?? 'user') === 'user').map((each) => each.source)
  const gits = [...(project === undefined || projectCopy !== undefined ? [] : [project]), ...trees].flatMap(gitOf)
  if (gits.length === 0) return []
  return registry.alone(() => {
    const inPlace = new Set(registry.all().flatMap((each) => (each.gitConfigs ?? []).map(([config]) => config)))
    return [...new Set(gits)].filter((git) => {
      const config = path.join(git, 'config')
      return !isConfigAside(config) && !inPlace.has(config) && moveConfigAside(git)
    })
  })
}

/**
 * Writes the record of a cell for the first time, with `write`, when its configs are aside: the end of another cell may have moved them
 * back since the plan.
 */
export function recordAside(registry: CellRegistry, record: CellRecord, write: (record: CellRecord) => void): void {
  const gits = record.aside ?? []
  if (gits.length === 0) return write(record)
  registry.alone(() => {
    for (const each of gits) moveConfigAside(each)
    const files = new Set(gits.flatMap((each) => [path.join(each, 'config'), path.join(each, asideName)]))
    const now = (entries: readonly KnownEntry[]): KnownEntry[] => [
      ...entries.filter(([file]) => !files.has(file)),
      ...knownEntries([...files]),
    ]
    write({ ...record, known: now(record.known), ...(record.gitLinks ? { gitLinks: now(record.gitLinks) } : {}) })
  })
}

/** Returns the git directory with the config of a work tree. */
function gitOf(tree: string): readonly string[] {
  const git = path.join(tree, '.git')
  const kind = kindBelow(tree, git)
  // A cell may have made a directory that claims the config of another repository.
  if (kind === 'directory') return commonDirectory(git) === git ? [git] : []
  const outer = kind === 'file' ? outerRepository(git) : null
  return outer === null ? [] : [outer]
}

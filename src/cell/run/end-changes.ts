import path from 'node:path'
import { contains } from '../plan/filesystem.ts'
import { runLaterRules } from '../plan/protected/run-later.ts'
import { neighboursIn } from '../plan/work-trees-view.ts'
import type { ChangeSummary, SubmoduleEntry } from '../report.ts'
import { takeConfigViews } from '../trees/config-views.ts'
import { release } from '../trees/held/release.ts'
import { saveRefs } from '../trees/held/user-tips.ts'
import { knownEntries } from '../trees/known-entries.ts'
import type { CellStart } from '../trees/state-before.ts'
import { changesIn } from '../trees/tree-changes.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'
import { othersViews, unlessOthers } from './entries-of-other-cells.ts'
import { registerSubmodules } from './register-submodules.ts'
import { settleConfigs } from './settle-configs.ts'

/**
 * Gives the held paths of an ended cell back to git, and returns the changes in its trees. `more`: what is only known to the process that started it. `inFull`: true for absolute paths in the first
 * tree too. Null if the cell could not write to any tree. Returns the record too, without the inert entries that are the user's files now.
 */
export async function endChanges(
  registry: CellRegistry,
  before: CellRecord,
  more: Pick<CellStart, 'listings' | 'git' | 'directories'> = {},
  inFull = false,
): Promise<{ readonly changes: ChangeSummary | null; readonly record: CellRecord }> {
  let record = before
  const rules = runLaterRules(record.runLater)
  const copies = await takeConfigViews(record.configs ?? [])
  const released = await release(
    record.held ?? [],
    neighboursIn(record.workTrees ?? []),
    record.trees,
    record.startedAt,
    record.runDirectory,
    rules,
  )
  if (released.updated.some((each) => record.inertPaths.includes(each))) {
    const inertPaths = record.inertPaths.filter((each) => !released.updated.includes(each))
    registry.write(record.id, { inertPaths })
    record = { ...record, inertPaths }
  }
  const known = [...record.known, ...knownEntries([...released.updated, ...released.own])]
  const start = { ...record, ...more, known, ownVersions: released.versions, isOthersView: othersViews(registry, record.id) }
  const changes = await changesIn(record.trees, start, unlessOthers(registry, record.id), inFull)
  if (changes === null) return { changes, record }
  const laundered = (changes.laundered ?? []).map((each) => path.resolve(record.trees[0] ?? '', each.path))
  const gits = [...(record.held ?? []).map((each) => each.common), ...(record.repositories ?? []).map(([git]) => git), ...laundered]
  for (const each of new Set(gits)) saveRefs(registry.userTips, each, record.startedAt)
  const unregistered = registerSubmodules(
    record.submodules ?? [],
    new Set(laundered),
    (config) => !record.trees.some((each) => contains(each, config)),
  )
  const configs = settleConfigs(copies, record.submodules ?? [])
  const [root = ''] = record.trees
  const shown = (each: string): string => (!inFull && each.startsWith(`${root}/`) ? path.relative(root, each) : each)
  const { updated, left, untracked, uncommitted, hidden, unsearched } = released
  const aside = released.quarantined.map((each) => ({ path: shown(each.path), movedTo: shown(each.movedTo) }))
  const quarantined = [...changes.quarantined, ...aside]
  const inPlace = left.map(shown).filter((file) => !quarantined.some((each) => file === each.path || file.startsWith(`${each.path}/`)))
  const isHeldChanged = updated.length + inPlace.length + untracked.length + uncommitted.length + hidden.length > 0
  const lists = {
    updated: updated.map(shown),
    left: inPlace,
    untracked: untracked.map(shown),
    uncommitted: uncommitted.map((each) => ({ ...each, path: shown(each.path) })),
    hidden: hidden.map(shown),
  }
  const held = isHeldChanged ? { held: lists } : {}
  const entry = ({ workTree, path: at }: SubmoduleEntry): SubmoduleEntry => ({
    workTree: !inFull && workTree === root ? '.' : shown(workTree),
    path: at,
  })
  return {
    changes: {
      ...changes,
      ...held,
      ...(configs.length > 0 ? { configs: configs.map((each) => ({ ...each, path: shown(each.path) })) } : {}),
      ...(unregistered.length > 0 ? { unregistered: unregistered.map(entry) } : {}),
      quarantined,
      unsearched: [...changes.unsearched, ...unsearched.map(shown)],
    },
    record,
  }
}

import { lstatSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { exclude, exclusionsFor, madeFor } from '../trees/git-exclude.ts'
import { knownEntries } from '../trees/known-entries.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'
import { othersPaths } from './entries-of-other-cells.ts'

/** Maximum number of held files that are added to lists of ignored files. */
const mostHeld = 1000

/**
 * Runs the function that creates a cell's inert entries on the host. They are recorded before it and known after it, git does not list
 * them, and no ending cell removes one meanwhile.
 * @throws PaddockError `CELL_FAILED` if a host program created one of them first
 */
export function placeInert(
  registry: CellRegistry,
  record: CellRecord,
  remember: (more: Partial<CellRecord>) => void,
  inertPaths: readonly string[],
  make: () => void,
): void {
  registry.alone(() => {
    const others = othersPaths(registry, record.id)
    const taken = inertPaths.find((each) => !others.has(each) && lstatSync(each, { throwIfNoEntry: false }) !== undefined)
    if (taken !== undefined) {
      throw new PaddockError('CELL_FAILED', `${taken} was made while the cell was being built, by a program outside of it.`, {
        hint: 'Run it again',
      })
    }
    // Git in the cell lists a held file as untracked while a commit without it is checked out.
    const held = (record.held ?? []).flatMap(({ workTree, clean }) => clean.map((each) => path.join(workTree, each.path)))
    const excluded = exclusionsFor([...inertPaths, ...held.slice(0, mostHeld)], record.trees)
    remember({
      inertPaths: [...excluded.flatMap((each) => madeFor(each, others)), ...inertPaths],
      excludes: excluded.map((each) => each.file),
    })
    for (const each of excluded) exclude(each, registry.tag)
    make()
    remember({ known: [...record.known, ...knownEntries(inertPaths)] })
  })
}

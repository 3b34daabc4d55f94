import { lstatSync, readdirSync, type Stats } from 'node:fs'
import path from 'node:path'
import { kindBelow } from '../../files/kind-below.ts'
import { parentsOf } from '../copy-names.ts'
import { type Entry, type Manifest, sameEntry } from '../manifest.ts'
import type { Change } from '../reviewing/change.ts'
import type { Cleared, Step } from './apply-journal.ts'
import { type Found, findInProject } from './place-state.ts'

export interface Planned {
  readonly step: Step
  readonly now: Entry | null
}

export interface Plan {
  readonly steps: readonly Planned[]
  /** Paths at which the project has changed since it was copied. */
  readonly moved: readonly string[]
  /** Paths at which the project already has the new content. */
  readonly same: readonly string[]
  /** Changes that cannot be applied although the project has not changed. */
  readonly obstacles: readonly { readonly path: string; readonly why: string }[]
  /** Directories that are removed to make room for a file, deepest first. */
  readonly cleared: readonly Cleared[]
  /** Directories to make, parents first. */
  readonly directories: readonly string[]
}

/** Returns the steps that apply these changes to the current state of the project. Only reads. */
export function planOf(project: string, changes: readonly Change[], base: Manifest): Plan {
  const [steps, moved, same, obstacles, cleared]: [Planned[], string[], string[], { path: string; why: string }[], Cleared[]] = [
    [],
    [],
    [],
    [],
    [],
  ]
  const deleted = new Set(changes.filter((each) => each.now === null).map((each) => each.path))
  const copied = new Set(base.entries.map((each) => each.path))
  for (const change of changes) {
    const above = change.now === null ? null : inTheWay(project, change.path)
    if (above !== null && !deleted.has(above)) {
      if (copied.has(above))
        obstacles.push({ path: change.path, why: `${above} is not a directory in the project; apply that change with it` })
      else moved.push(change.path)
      continue
    }
    const found: Found = above === null ? findInProject(project, change.path) : { kind: 'nothing' }
    const entry = found.kind === 'entry' ? found.entry : null
    if (found.kind !== 'directory' && found.kind !== 'blocked' && sameEntry(entry, change.now)) {
      same.push(change.path)
      continue
    }
    if (found.kind === 'directory' && change.now !== null && change.base === null) {
      const room = directoriesOf(project, change.path, deleted)
      if (typeof room === 'string') {
        obstacles.push({ path: change.path, why: `it is a directory in the project, with ${room} in it, which the copy did not have` })
        continue
      }
      cleared.push(...room)
    } else if (!isAsCopied(found, change)) {
      moved.push(change.path)
      continue
    }
    steps.push({
      step: {
        path: change.path,
        slot: steps.length,
        action: change.now === null ? 'delete' : 'write',
        standing: found.kind === 'entry' ? found.standing : null,
        made: null,
      },
      now: change.now,
    })
  }
  return { steps, moved, same, obstacles, cleared, directories: missingDirectories(project, steps) }
}

function isAsCopied(found: Found, change: Change): boolean {
  if (found.kind === 'nothing') return change.base === null
  return found.kind === 'entry' && sameEntry(found.entry, change.base)
}

/** Returns the highest part of a path's directory that exists in the project and is not a directory. Null: there is no such part. */
function inTheWay(project: string, file: string): string | null {
  for (const each of parentsOf(file).reverse()) {
    const stat = standsAt(path.join(project, each))
    if (stat === null) return null
    if (!stat.isDirectory()) return each
  }
  return null
}

/** Returns the directories at and below a path, deepest first, or the path of a file in them that is not deleted. */
function directoriesOf(project: string, root: string, deleted: ReadonlySet<string>): Cleared[] | string {
  const found: Cleared[] = []
  const open = [root]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const { mode, uid, gid } = lstatSync(path.join(project, each))
    found.unshift({ path: each, mode: mode & 0o777, uid, gid })
    for (const entry of readdirSync(path.join(project, each), { withFileTypes: true })) {
      const below = `${each}/${entry.name}`
      if (entry.isDirectory()) open.push(below)
      else if (!deleted.has(below)) return below
    }
  }
  return found
}

/** Returns the directories to make, parents first. Everything below a non-directory counts as missing, regardless of where a link leads. */
function missingDirectories(project: string, steps: readonly Planned[]): string[] {
  const needed = new Set(steps.filter((each) => each.now !== null).flatMap((each) => parentsOf(each.step.path)))
  return [...needed].filter((each) => kindBelow(project, path.join(project, each)) !== 'directory').sort((a, b) => a.length - b.length)
}

/** Returns the facts of a path. Null also if one of its parents is not a directory. */
export function standsAt(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

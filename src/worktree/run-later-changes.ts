import { existsSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import type { ChangeSummary } from '../cell/report.ts'
import { gitUserOf } from '../copy/copy-host.ts'
import { marksOf } from '../copy/reviewing/marks.ts'
import { kindBelow } from '../files/kind-below.ts'
import type { WorktreeHost } from './worktree-host.ts'
import type { WorktreeRecord } from './worktree-record.ts'

/** A path that a work tree changed. `link`: its target if it is a symbolic link, else null. */
export interface ChangedPath {
  readonly path: string
  readonly link: string | null
}

/** Returns those of these paths that a program of this machine would run or obey in the project, as a review of a copy marks them. */
export function laterAmong(changed: readonly ChangedPath[], record: WorktreeRecord, host: WorktreeHost): ChangeSummary['runsLater'] {
  if (changed.length === 0) return []
  const { project, directory } = record
  const marks = marksOf(existsSync(project) ? project : directory, gitUserOf(host), host.runLater)
  return changed.flatMap(({ path: each, link }) => {
    const why = unlisted(each) ?? marks.path(each) ?? (link === null ? null : marks.link(each, link))
    return why === null ? [] : [{ path: each, why }]
  })
}

/** Returns the reason why a path cannot be judged by its name; null: it can. Git lists a repository as a directory, without its files. */
function unlisted(name: string): string | null {
  if (name.includes('\ufffd')) return 'its name is not UTF-8'
  return name.endsWith('/') ? 'it is a repository, whose files are not listed here' : null
}

/** Returns the target of a symbolic link in a directory that a cell can write to; null for anything else. */
export function linkAt(directory: string, relative: string): string | null {
  const file = path.join(directory, relative)
  if (kindBelow(directory, path.dirname(file)) === 'link' || kindBelow(directory, file) !== 'link') return null
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}

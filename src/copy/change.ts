import path from 'node:path'
import { type Entry, isLink } from './manifest.ts'
import type { Marks } from './marks.ts'

/** One path that differs between what was copied and the copy now. */
export interface Change {
  /** Relative to the project. */
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted' | 'mode'
  readonly base: Entry | null
  readonly now: Entry | null
  /** Why it would run, or lead elsewhere, on the host; null: it would not. */
  readonly runsLater: string | null
}

export function changeOf(base: Entry | null, now: Entry | null, marks: Marks): Change {
  const file = (now ?? base)?.path ?? ''
  return { path: file, kind: kindOf(base, now), base, now, runsLater: marks(file) ?? (now === null ? null : outside(now)) }
}

function kindOf(base: Entry | null, now: Entry | null): Change['kind'] {
  if (base === null) return 'added'
  if (now === null) return 'deleted'
  return !isLink(base) && !isLink(now) && base.sha256 === now.sha256 ? 'mode' : 'modified'
}

/** A link that leads out of the project, or into git's own directory, would have whoever follows it on the host read or write there. */
function outside(entry: Entry): string | null {
  if (!isLink(entry)) return null
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(entry.path), entry.target))
  if (entry.target.startsWith('/') || target === '..' || target.startsWith('../')) return 'it is a link that leads out of the project'
  return target.split('/').some((each) => each.toLowerCase() === '.git') ? 'it is a link into .git' : null
}

import { type Entry, isLink } from '../manifest.ts'
import type { Marks } from './marks.ts'

/** A path that differs between the base of a copy and its present state. */
export interface Change {
  /** The path relative to the project. */
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted' | 'mode'
  readonly base: Entry | null
  readonly now: Entry | null
  /** The reason why the file would run on the host or leads out of the project; null: neither applies. */
  readonly runsLater: string | null
}

export function changeOf(base: Entry | null, now: Entry | null, marks: Marks): Change {
  const file = (now ?? base)?.path ?? ''
  return { path: file, kind: kindOf(base, now), base, now, runsLater: marks.path(file) ?? linkMark(now, marks) }
}

function linkMark(now: Entry | null, marks: Marks): string | null {
  return now !== null && isLink(now) ? marks.link(now.path, now.target) : null
}

function kindOf(base: Entry | null, now: Entry | null): Change['kind'] {
  if (base === null) return 'added'
  if (now === null) return 'deleted'
  return !isLink(base) && !isLink(now) && base.sha256 === now.sha256 ? 'mode' : 'modified'
}

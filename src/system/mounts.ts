import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isIn } from './paths-to.ts'

/** One line of mountinfo (proc(5)). */
export interface Mount {
  /** The file system as `major:minor`. */
  readonly device: string
  /** The mounted directory of that file system. */
  readonly root: string
  readonly at: string
  /** The options of this mount, such as `ro` and `noexec`. */
  readonly options: readonly string[]
}

/** Returns the mounts of a process. @throws Error if they cannot be read */
export function mountsOf(pid: number | 'self'): readonly Mount[] {
  return parseMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'))
}

/** Returns the mounts in a text of mountinfo, in its order. */
export function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , device, root, at, options = ''] = line.split(' ')
    return device === undefined || root === undefined || at === undefined
      ? []
      : [{ device, root: unescapeOctal(root), at: unescapeOctal(at), options: options.split(',') }]
  })
}

/** Returns the mount that a path without links is in: the last one at its longest prefix. Null: there is none. */
export function mountAt(mounts: readonly Mount[], file: string): Mount | null {
  let best: Mount | null = null
  for (const each of mounts) if (isIn(each.at, file) && (best === null || each.at.length >= best.at.length)) best = each
  return best
}

/**
 * Returns the other paths that show a file or a part of it, because a part of its file system is mounted more than once (bind mounts,
 * subvolumes). `file`: a path without links.
 */
export function otherPaths(mounts: readonly Mount[], file: string): readonly string[] {
  const own = mountAt(mounts, file)
  if (own === null) return []
  const inside = path.join(own.root, path.relative(own.at, file))
  return mounts.flatMap((each) => {
    if (each === own || each.device !== own.device) return []
    if (isIn(each.root, inside)) return [path.join(each.at, path.relative(each.root, inside))].filter((other) => other !== file)
    return isIn(inside, each.root) && !isIn(file, each.at) ? [each.at] : []
  })
}

/** Decodes octal escapes, which are used for space, tab, newline and backslash. Other bytes are unescaped. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

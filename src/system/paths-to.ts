import { readlinkSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'

/** The most links that the kernel follows (path_resolution(7)). */
const mostLinks = 40

/**
 * Returns the paths that lead to a file: the given one, the path of each link on the way, and last the path without links. A process that
 * can write to the directory of one of them decides which file is reached. Parts that do not exist are kept. `file`: an absolute path.
 */
export function pathsTo(file: string): readonly string[] {
  const found = [path.normalize(file)]
  let done = ''
  let rest = file.split('/').filter((each) => each !== '' && each !== '.')
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...after] = rest
    const at = name === '..' ? path.dirname(done === '' ? '/' : done) : `${done}/${name}`
    const target = name === '..' ? null : linkTarget(at)
    if (target === null || links === mostLinks) {
      done = at === '/' ? '' : at
      rest = after
      continue
    }
    links++
    found.push(at)
    if (path.isAbsolute(target)) done = ''
    rest = [...target.split('/').filter((each) => each !== '' && each !== '.'), ...after]
  }
  return [...found, done === '' ? '/' : done]
}

function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}

/** Returns the path without links. Parts that do not exist are kept. */
export function realPathOf(file: string): string {
  return pathsTo(file).at(-1) ?? file
}

/** Returns the facts about what a path leads to; null if there is nothing, or if this user may not look at it. */
export function statOf(file: string): Stats | null {
  try {
    return statSync(file)
  } catch {
    return null
  }
}

/** Returns true for a directory itself and for everything below it. Both are absolute paths. */
export function isIn(directory: string, file: string): boolean {
  return file === directory || file.startsWith(directory === '/' ? '/' : `${directory}/`)
}

import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Returns the target of the link at a path (relative to the project); null: there is no link. */
export type LinkAt = (file: string) => string | null

const mostLinks = 40

/** Returns the path that a link leads to, through the links that `linkAt` knows; null: it leads out of the project or to no path. */
export function linkEnd(file: string, target: string, linkAt: LinkAt): string | null {
  const at = parts(path.posix.dirname(file))
  const rest = parts(target)
  if (target.startsWith('/')) return null
  for (let followed = 0, name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') {
      if (at.pop() === undefined) return null
      continue
    }
    const next = [...at, name].join('/')
    const link = linkAt(next)
    if (link === null) {
      at.push(name)
      continue
    }
    if (link.startsWith('/') || ++followed > mostLinks) return null
    rest.unshift(...parts(link))
  }
  return at.join('/')
}

/** Returns a function that reads links in a directory on the disk. */
export function linksIn(root: string): LinkAt {
  return (file) => {
    const absolute = path.join(root, file)
    try {
      return lstatSync(absolute).isSymbolicLink() ? readlinkSync(absolute) : null
    } catch {
      return null
    }
  }
}

const parts = (file: string): string[] => file.split('/').filter((each) => each !== '' && each !== '.')

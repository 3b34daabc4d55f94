import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Returns the tree in a directory of the host: the type, mode, owner and content of each path. Links are not followed. */
export function snapshot(directory: string, below = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(path.join(directory, below)).sort()) {
    const relative = path.join(below, name)
    const file = path.join(directory, relative)
    const stat = lstatSync(file)
    const content = stat.isFile() ? readFileSync(file, 'latin1') : stat.isSymbolicLink() ? readlinkSync(file) : ''
    found.set(relative, [stat.mode.toString(8), stat.uid, stat.ino, content].join(' '))
    if (stat.isDirectory()) for (const [more, what] of snapshot(directory, relative)) found.set(more, what)
  }
  return found
}

/** Returns the paths that differ between two snapshots, each with its difference. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [
    ...[...before].flatMap(([file, was]) => (after.get(file) === was ? [] : [`${file} (${after.has(file) ? 'changed' : 'gone'})`])),
    ...[...after.keys()].filter((file) => !before.has(file)).map((file) => `${file} (new)`),
  ]
}

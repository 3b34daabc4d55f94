import { hash } from 'node:crypto'
import { existsSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The copy of this Paddock that goes to another machine. */
export interface OwnCopy {
  /** Two copies with the same one are equal. */
  readonly id: string
  /** The files by their path in the copy, as absolute paths here. */
  readonly files: ReadonlyMap<string, string>
}

/** What a cell server and `paddock doctor` need. */
const parts = ['bin/paddock.mjs', 'bin/run-under.mjs', 'dist', 'package.json']
const packages = ['@lydell/node-pty', `@lydell/node-pty-${process.platform}-${process.arch}`, 'tldts', 'tldts-core']

/** The program `bin/paddock` of a copy. */
export const starter = '#!/bin/sh\nhere=$(dirname "$0")/..\nexec "$here/node/bin/node" "$here/bin/paddock.mjs" "$@"\n'

/** Returns the copy of the Paddock whose launcher (`bin/paddock.mjs`) this is, with the Node that runs it. */
export function ownCopy(launcher: string): OwnCopy {
  const root = path.dirname(path.dirname(launcher))
  const files = new Map(parts.map((each) => [each, path.join(root, each)]))
  const require = createRequire(launcher)
  for (const name of packages) {
    const found = (require.resolve.paths(name) ?? []).map((each) => path.join(each, name)).find((each) => existsSync(each))
    if (found !== undefined) files.set(`node_modules/${name}`, found)
  }
  files.set('node/bin/node', process.execPath)
  const facts = [...files].flatMap(([name, file]) => (statSync(file).isDirectory() ? below(name, file) : [factOf(name, file)]))
  return { id: hash('sha256', [starter, ...facts].join('\n')).slice(0, 16), files }
}

function below(name: string, directory: string): readonly string[] {
  return globSync('*.{js,mjs,pl,json,node}', { cwd: directory })
    .toSorted()
    .map((each) => factOf(`${name}/${each}`, path.join(directory, each)))
}

function factOf(name: string, file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${name} ${size} ${mtimeMs}`
}

/**
 * The command of a shell that sets `$copies` to the directory there with copies of Paddock. It is none of Paddock's own directories, which
 * no cell may see: some cells have the Node of a copy.
 */
export const setCopies = 'copies="$HOME/.local/lib/paddock-copies"; [ -z "$PADDOCK_HOME" ] || copies="$PADDOCK_HOME.copies"'

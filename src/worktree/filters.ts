import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { printable } from '../base/text.ts'
import type { Converted } from '../git/filter-drivers.ts'
import type { UserGit } from './user-git.ts'

/**
 * Returns those of some files of a tree that a filter other than git-lfs would convert when git writes them. `files`: their names as bytes
 * (latin1). `scratch`: a directory for a temporary index.
 */
export function convertedIn(git: UserGit, tree: string, files: readonly string[], scratch: string): readonly Converted[] {
  const directory = mkdtempSync(path.join(scratch, 'index-'))
  const env = { GIT_INDEX_FILE: path.join(directory, 'index') }
  try {
    git.bytes(['-c', 'core.splitIndex=false', 'read-tree', tree], '', env)
    const ask = (args: readonly string[], input: string): Buffer => git.bytes(args, Buffer.from(input, 'latin1'), env)
    // Git reads the attributes files of the tree, and those of the work tree that the tree does not have.
    const cached = git.filters.converted(files, ([command = '', ...args], input) => ask([command, '--cached', ...args], input))
    return [...cached, ...git.filters.converted(files, ask)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Throws if there are such files. `state`: the start of the message. @throws PaddockError NOT_ALLOWED */
export function refuseFilters(found: readonly Converted[], { state, hint }: { readonly state: string; readonly hint: string }): void {
  const [first] = found
  if (first === undefined) return
  const names = new Set(found.map((each) => each.path))
  const others = names.size === 1 ? '' : ` and ${names.size - 1} more`
  const file = printable(Buffer.from(first.path, 'latin1').toString())
  throw new PaddockError(
    'NOT_ALLOWED',
    `${state}: to write ${file}${others}, git would run a filter (${first.key}), which may run files of an agent.`,
    { hint },
  )
}

import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../../../base/shell-word.ts'
import type { Alias } from './dockerfile.ts'

const program = fileURLToPath(new URL('./offline-program.sh', import.meta.url))
const report = fileURLToPath(new URL('./paddock_ctrf.py', import.meta.url))

/** The programs of a task that its cells find first in PATH, in /inputs. */
export interface OfflinePrograms {
  /** Programs that fetch packages. Those in their place succeed if the packages are here. */
  readonly fetching: readonly string[]
  /** Other names for programs of this machine. */
  readonly aliases: readonly Alias[]
  /** True if pytest gets the option --ctrf, because pytest-json-ctrf is not here. */
  readonly hasReport: boolean
}

export function isEmpty({ fetching, aliases, hasReport }: OfflinePrograms): boolean {
  return fetching.length === 0 && aliases.length === 0 && !hasReport
}

/** Writes the programs to a directory, which is created. */
export async function writePrograms({ fetching, aliases, hasReport }: OfflinePrograms, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const { name, program: to } of aliases)
    await writeFile(path.join(directory, name), `#!/bin/sh\nexec ${shellWord(to)} "$@"\n`, { mode: 0o755 })
  for (const name of fetching) {
    await copyFile(program, path.join(directory, name))
    await chmod(path.join(directory, name), 0o755)
  }
  if (hasReport) await copyFile(report, path.join(directory, path.basename(report)))
}

/** Returns the shell text that puts the programs of /inputs first. */
export function usePrograms(programs: OfflinePrograms): string {
  if (isEmpty(programs)) return ''
  const plugin = programs.hasReport
    ? // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax of the shell.
      'export PYTHONPATH="/inputs${PYTHONPATH:+:$PYTHONPATH}" PYTEST_PLUGINS="paddock_ctrf${PYTEST_PLUGINS:+,$PYTEST_PLUGINS}"; '
    : ''
  return `export PATH="/inputs:$PATH"; ${plugin}`
}

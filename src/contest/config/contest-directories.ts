import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { shellWord } from '../../base/shell-word.ts'
import type { Source } from '../../config/config-problems.ts'
import type { KeyPath } from '../../config/key-path.ts'
import type { Layout } from './contest-layout.ts'
import type { ContestConfig } from './contest-schema.ts'
import { refuseProblems } from './problems-error.ts'
import type { SenseProblem } from './sense.ts'
import { roleKey } from './variants.ts'

/** Throws BAD_INPUT unless the directories named in the config exist and are inside the contest after links are followed. */
export async function checkDirectories(config: ContestConfig, layout: Layout, source: Source): Promise<void> {
  const root = await realpath(layout.root)
  const missing: string[] = []
  const problems: SenseProblem[] = []
  for (const { path: key, value } of namedDirectories(config)) {
    const directory = path.join(layout.root, value)
    if (!(await isDirectory(directory))) {
      missing.push(directory)
      problems.push({ path: key, message: `names no directory beside contest.yaml: ${value}` })
      continue
    }
    const real = await realpath(directory)
    if (real === root || !real.startsWith(root + path.sep))
      problems.push({
        path: key,
        message: `leads out of the contest directory, or is all of it: ${value}; name a separate directory next to contest.yaml`,
      })
  }
  refuseProblems(problems, source, missing.length === 0 ? undefined : `Run: mkdir -p ${[...new Set(missing)].map(shellWord).join(' ')}`)
}

function namedDirectories(config: ContestConfig): { readonly path: KeyPath; readonly value: string }[] {
  const named: { path: KeyPath; value: string }[] = []
  for (const group of ['participants', 'judges', 'checks'] as const) {
    for (const [index, each] of config[group].entries()) {
      const at = group === 'checks' ? [group, index, 'files'] : roleKey(config, group, index, 'files')
      if (each.files !== undefined) named.push({ path: at, value: each.files })
      if ('inputs' in each && each.inputs !== undefined) named.push({ path: [group, index, 'inputs'], value: each.inputs })
    }
  }
  for (const key of ['oracle', 'start'] as const) {
    const value = config[key]
    if (value !== undefined) named.push({ path: [key], value })
  }
  return named
}

export async function isDirectory(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false
}

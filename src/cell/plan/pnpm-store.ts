import { existsSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { findProgram } from '../../system/program-in-path.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { CellSpec } from './spec.ts'

const mostBytes = 1024 ** 2
const signs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'node_modules/.modules.yaml']
const usual = '~/.local/share/pnpm/store'

/**
 * Returns pnpm's global settings for a private home, if pnpm is used: the store is in the home, at the path that it has on the host. By
 * default, pnpm would put it into the project, because files of the home cannot be linked into another mount. It would then refuse to add
 * packages to those that the host's pnpm installed. Settings of the project take precedence, and those in the home are not replaced.
 */
export function pnpmSettings(
  { project, projectCopy = project }: Pick<CellSpec, 'project' | 'projectCopy'>,
  { env, user }: Pick<MachineFacts, 'env' | 'user'>,
): NonNullable<CellSpec['homeFiles']> {
  const isUsed =
    (projectCopy !== undefined && signs.some((each) => existsSync(path.join(projectCopy, each)))) ||
    findProgram('pnpm', env['PATH'] ?? '') !== null
  if (!isUsed) return []
  const store = (projectCopy === undefined ? null : storeOf(projectCopy, user.home)) ?? usual
  return [
    // Up to pnpm 10 (https://pnpm.io/10.x/npmrc), and later (https://pnpm.io/settings#storedir).
    { path: '.config/pnpm/rc', content: `store-dir=${store}\n`, overwrite: false },
    { path: '.config/pnpm/config.yaml', content: `storeDir: ${JSON.stringify(store)}\n`, overwrite: false },
  ]
}

/** Returns the store of a project's packages, relative to the home; null if it is elsewhere or has an unusual name. */
function storeOf(project: string, home: string): string | null {
  const text = readRegularSync(path.join(project, 'node_modules/.modules.yaml'), mostBytes) ?? ''
  const named = /^\s*"?storeDir"?:\s*["']?(\/[\w/.@+-]+)\/v\d+["']?,?\s*$/m.exec(text)?.[1]
  return named?.startsWith(`${home}/`) === true && path.normalize(named) === named ? `~${named.slice(home.length)}` : null
}

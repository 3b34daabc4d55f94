import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Check } from '../../cell/look.ts'
import { findTool } from '../../system/system-tools.ts'

/**
 * Returns what `paddock doctor` reports of the user's git: whether it obeys a bare repository in any directory that it is called in
 * (git-config(1), safe.bareRepository). Empty if there is no git. `environment`: the user's, which says where its configuration is.
 */
export async function gitCheck(environment: Readonly<Record<string, string | undefined>>): Promise<readonly Check[]> {
  const git = findTool('git', environment['PATH'] ?? '')
  if (git === null) return []
  const { stdout } = await promisify(execFile)(git, ['config', '--get', 'safe.bareRepository'], {
    cwd: '/',
    env: environment as NodeJS.ProcessEnv,
    timeout: 5000,
  }).catch(() => ({ stdout: '' }))
  if (stdout.trim().toLowerCase() === 'explicit')
    return [{ name: 'git', ok: true, detail: 'obeys no bare repository that it finds by itself (safe.bareRepository)' }]
  return [
    {
      name: 'git',
      ok: true,
      detail: 'obeys a bare repository in any directory, whatever its name',
      hint: 'Run: git config --global safe.bareRepository explicit',
    },
  ]
}

import type { Check } from '../../cell/backend-facts.ts'
import { hostProgram } from '../../system/host-program.ts'
import { installHint } from '../../system/packages.ts'
import { run } from '../../system/start-program.ts'

/**
 * Returns the `paddock doctor` check of the user's git: whether git uses a bare repository that it finds in its working directory
 * (git-config(1), safe.bareRepository). Cells work without git, so the check is passed if it is missing. `environment`: the user's, which determines git's configuration files.
 */
export async function gitCheck(
  environment: Readonly<Record<string, string | undefined>>,
  git: string | null = hostProgram('git', environment['PATH'] ?? ''),
): Promise<readonly Check[]> {
  if (git === null) {
    const remedies = [{ kind: 'program', name: 'git' }] as const
    return [{ name: 'git', ok: true, detail: 'not installed; work trees and commits need it', hint: installHint('git'), remedies }]
  }
  const { stdout } = await run(git, ['config', '--get', 'safe.bareRepository'], {
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
      detail: 'takes any directory that looks like a bare repository for one; Paddock disarms those that a cell leaves',
      hint: 'To turn that off for all directories, run: git config --global safe.bareRepository explicit',
    },
  ]
}

import { gitConfigText } from '../../../git/write-config.ts'
import { includeFor } from '../held/held-config.ts'
import type { SyntheticFile } from '../spec.ts'
import { type DeclaredSubmodules, settingsOf } from './declared.ts'

/**
 * Returns the git configuration with which declared submodules count as initialised, in files of the cell, so that
 * `git submodule update --init` need not write to the config. `system`: the lines for the system-wide configuration. They count only in these
 * repositories. `gitPath`: the path in the cell of a git directory.
 */
export function submoduleConfig(
  repositories: readonly DeclaredSubmodules[],
  gitPath: (git: string) => string,
): { readonly system: string; readonly files: readonly SyntheticFile[] } {
  const files = repositories.map(({ submodules }, at) => ({
    target: `/etc/paddock/submodules/${at}.gitconfig`,
    // All are active, so that submodules that are added in the cell are too (gitsubmodules(7)).
    content: gitConfigText([{ key: 'submodule.active', value: '.' }, ...submodules.flatMap(settingsOf)]),
  }))
  const system = repositories.map(({ git }, at) => includeFor(gitPath(git), files[at]?.target ?? '')).join('')
  return { system, files }
}

import path from 'node:path'
import type { GitSetting } from '../../git/git-settings.ts'

/** A path of the project that git runs, or passes to a program that it runs, because git's configuration names the path. */
export interface GitProgram {
  readonly path: string
  /** The key of the setting, such as `core.fsmonitor` or `filter.x.clean`. */
  readonly key: string
}

/** A pattern for settings whose value is a command or a program (git-config(1)). */
const commands =
  /^(core\.(fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|gpg\.(.*\.)?program|gpg\.ssh\.defaultkeycommand|filter\..*\.(clean|smudge|process)|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|(difftool|mergetool|browser|man)\..*\.(cmd|path)|alias\..*|pager\..*|interactive\.difffilter|credential\.(.*\.)?helper|trailer\..*\.(cmd|command)|hook\..*\.command|remote\..*\.(uploadpack|receivepack|vcs)|submodule\..*\.update|sendemail\..*(cmd|smtpserver))$/

/** Returns the paths of a project that git's configuration names as programs or in a command. */
export function gitPrograms(project: string, settings: readonly GitSetting[]): readonly GitProgram[] {
  return settings.flatMap((each) => {
    const key = keyOf(each)
    if (key === 'core.hookspath') return inProject(project, each.value).map((found) => ({ path: found, key }))
    if (!commands.test(key) || (each.section === 'alias' && !each.value.startsWith('!'))) return []
    return each.value
      .split(/[\s"'`;|&()<>{}$=,!]+/)
      .flatMap((word) => inProject(project, word))
      .map((found) => ({ path: found, key }))
  })
}

function keyOf({ section, subsection, name }: GitSetting): string {
  return [section, subsection, name]
    .filter((each) => each !== '')
    .join('.')
    .toLowerCase()
}

/**
 * Returns the paths of the project that a word may mean. `$(git rev-parse --show-toplevel)/x` leaves `/x`, so an absolute path elsewhere
 * also counts as one of the project.
 */
function inProject(project: string, word: string): readonly string[] {
  return [path.resolve(project, word), path.join(project, word)]
    .map((each) => path.relative(project, each))
    .filter((each, index, all) => each !== '' && !/^\.\.(\/|$)/.test(each) && all.indexOf(each) === index)
}

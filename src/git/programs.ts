import path from 'node:path'
import type { GitSetting } from './settings.ts'

/** A path of the project (relative to it) that git runs, or gives to a program that it runs, because its configuration says so. */
export interface GitProgram {
  readonly path: string
  /** `core.fsmonitor`, `filter.x.clean` */
  readonly key: string
}

/** Settings whose value is a command or a program (git-config(1)). */
const commands =
  /^(core\.(fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|gpg\.(.*\.)?program|gpg\.ssh\.defaultkeycommand|filter\..*\.(clean|smudge|process)|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|(difftool|mergetool|browser|man)\..*\.(cmd|path)|alias\..*|pager\..*|interactive\.difffilter|credential\.(.*\.)?helper|trailer\..*\.(cmd|command)|hook\..*\.command|remote\..*\.(uploadpack|receivepack|vcs)|submodule\..*\.update|sendemail\..*(cmd|smtpserver))$/

/** Which parts of a project git's configuration names as programs, or as words of a command. */
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

/** `$(git rev-parse --show-toplevel)/x` leaves `/x`, so what is absolute and elsewhere is also taken for a part of the project. */
function inProject(project: string, word: string): readonly string[] {
  return [path.resolve(project, word), path.join(project, word)]
    .map((each) => path.relative(project, each))
    .filter((each, index, all) => each !== '' && !/^\.\.(\/|$)/.test(each) && all.indexOf(each) === index)
}

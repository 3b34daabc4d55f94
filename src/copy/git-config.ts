import path from 'node:path'
import { commonDirectory, gitDirectoryOf } from '../cell/plan/git-facts.ts'
import { type GitSetting, type GitUser, gitSettings } from '../git/git-settings.ts'

/**
 * Returns the settings of a project's repository and of its user, with all included files, regardless of their conditions (git-config(1)).
 * `~` and `$HOME` in them are expanded, even in a command, where a shell would do so.
 */
export function projectSettings(project: string, user: GitUser): readonly GitSetting[] {
  const git = path.join(project, '.git')
  const places = [...new Set([git, gitDirectoryOf(git) ?? git].flatMap((each) => [each, commonDirectory(each)]))]
  const own = places.flatMap((each) => [path.join(each, 'config'), path.join(each, 'config.worktree')])
  const { settings } = gitSettings([...user.files, ...own], user)
  return [...settings, ...user.settings].map((each) => ({ ...each, value: withHomes(each.value, user) }))
}

function withHomes(value: string, { home, name }: GitUser): string {
  return value.replaceAll(/(?<![^\s"'`;|&()<>{}=,!:])(~([^/\s]*)|\$HOME|\$\{HOME\})(?=\/)/g, (written, _, of: string | undefined) =>
    of === undefined || of === '' || of === name ? home : written,
  )
}

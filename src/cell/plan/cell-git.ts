import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { carriedFiles, ended } from '../../git/carried-files.ts'
import { carriedSettings } from '../../git/carried-settings.ts'
import { type EffectiveSetting, settingsIn, userSettings } from '../../git/effective-settings.ts'
import type { GitPlace } from '../../git/include-condition.ts'
import { gitConfigText } from '../../git/write-config.ts'
import { commonDirectory, gitDirectoryOf, isGitDirectory } from './git-facts.ts'
import { overSparseCheckout } from './held/held-config.ts'
import type { MachineFacts, ProjectFacts } from './machine-facts.ts'

/** What a cell's git gets of the settings of the user's git. */
export interface CellGit {
  /** Text for the system-wide configuration. */
  readonly config: string
  /** Text for the files of ignore patterns and of attributes that apply to all repositories. */
  readonly ignore: string
  readonly attributes: string
  /** The template for commit messages; null if there is none. */
  readonly template: string | null
  /** Settings that take precedence over the configuration of a repository. */
  readonly overrides: readonly (readonly [key: string, value: string])[]
  /** Variables with the user's identity. */
  readonly env: Readonly<Record<string, string>>
  /** Sentences for the user about differences to git outside. */
  readonly notices: readonly string[]
}

/** The git of a cell that adopts nothing. */
export const plainGit: CellGit = { config: '', ignore: '', attributes: '', template: null, overrides: [], env: {}, notices: [] }

/** Otherwise git gc fails, because it locks the HEAD of each work tree to expire its log, and complains about absent work trees. */
const keepingOthers = ['gc.reflogexpire', 'gc.reflogexpireunreachable', 'gc.worktreepruneexpire'].map((key) => [key, 'never'] as const)

const identityVariables = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL']

/**
 * Returns what a cell's git adopts from the user's and the machine's settings, as git outside would apply them to a project. Reads
 * files and runs nothing. `inCell`: returns true for a program that the cell has.
 */
export function cellGit(
  machine: Pick<MachineFacts, 'user' | 'env'>,
  project: string | undefined,
  trees: readonly ProjectFacts[],
  inCell: (program: string) => boolean,
): CellGit {
  const { user, env } = machine
  const place = project === undefined ? null : placeOf(project, user)
  const settings = [...userSettings(user, env, place)]
  const email = env['EMAIL']
  if (email && !settings.some((each) => each.key === 'user.email')) settings.push({ key: 'user.email', value: email })
  const configs = trees.flatMap((each) => each.present).filter((each) => /^config(\.worktree)?$/.test(path.basename(each)))
  const own = configs.flatMap((each) => settingsIn(each, user, place))
  const carried = carriedSettings(settings, own, inCell)
  const files = carriedFiles(settings, user, env)
  return {
    config: gitConfigText(carried.settings),
    overrides: [
      ...carried.overrides,
      ...(trees.some((each) => each.workTreeViews?.some(({ others }) => others.length > 0)) ? keepingOthers : []),
      ...(trees.some((each) => each.held?.some(({ ownPatterns }) => ownPatterns !== null)) ? overSparseCheckout : []),
    ],
    ...files,
    env: Object.fromEntries(identityVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    notices: [
      ...(carried.signing
        ? ['commits are not signed in the cell, because your key is not there; to sign them afterwards: paddock sign']
        : []),
      ...filterNotices(carried.withoutFilter, project, files.attributes),
      ...(carried.hooksPath === null || project === undefined
        ? []
        : [`your git hooks in ${carried.hooksPath} (core.hooksPath) do not run in the cell`]),
    ],
  }
}

/** Returns a sentence about the filters that attributes name and the cell does not have. */
function filterNotices(missing: readonly string[], project: string | undefined, attributes: string): readonly string[] {
  if (project === undefined || missing.length === 0) return []
  const text = ended(attributes) + (readRegularSync(path.join(project, '.gitattributes'), 1024 ** 2) ?? '')
  const used = new Set([...text.matchAll(/\bfilter=(\S+)/g)].map((each) => each[1]))
  const named = missing.filter((each) => used.has(each))
  if (named.length === 0) return []
  return [`the cell does not have your git filter ${named.join(', ')}, so git add fails for files that need it`]
}

/** Returns the repository of a project; null if there is none. */
function placeOf(project: string, user: MachineFacts['user']): GitPlace | null {
  const dotGit = path.join(project, '.git')
  const git = gitDirectoryOf(dotGit) ?? (isGitDirectory(dotGit) ? dotGit : isGitDirectory(project) ? project : null)
  if (git === null) return null
  const outside = settingsIn(path.join(commonDirectory(git), 'config'), user, null)
  return { git, remotes: remotesIn(outside) }
}

function remotesIn(settings: readonly EffectiveSetting[]): readonly string[] {
  return settings.flatMap(({ key, value }) => (/^remote\..+\.url$/s.test(key) && value ? [value] : []))
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import { contains } from '../cell/plan/filesystem.ts'
import { commonDirectory, gitDirectoryOf } from '../cell/plan/git-facts.ts'
import type { MaskWish, MountWish } from '../cell/plan/spec.ts'
import type { RepositoryWish } from '../egress/forge/repository.ts'
import { readRegularSync } from '../files/read-regular.ts'
import { type ConfigLogin, configLogins } from '../git/config-logins.ts'
import { configFileOf } from '../git/config-put-aside.ts'

const mostBytes = 1024 ** 2
const everyHost = 'every host'

/** The logins that git's own configurations of a project have for the hosts of its remotes. */
export interface RemoteLogins {
  readonly logins: readonly ConfigLogin[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
}

/** The places of a run in which git configurations with logins can be. */
export interface LoginPlaces {
  readonly project: string | undefined
  readonly mounts: readonly MountWish[]
  readonly masks: readonly MaskWish[]
  readonly repositories: readonly RepositoryWish[]
}

/**
 * Reads the logins in the git configuration of a project. A cell sees it without them (`withoutLogins`); a note says how it gets a
 * placeholder. A read-only mount shows its own configuration, which is named.
 */
export function remoteLogins({ project, mounts, masks, repositories }: LoginPlaces): RemoteLogins {
  const file = project === undefined ? null : configOf(project)
  const logins = file === null ? [] : read(file)
  const hidden = hostsOf(logins).filter((host) => !repositories.some((each) => each.host === host))
  const shown = mounts
    .filter((each) => each.access === 'ro')
    .flatMap((each) => [path.join(each.source, 'config'), path.join(each.source, '.git/config')])
    .filter((each) => existsSync(path.join(path.dirname(each), 'HEAD')) && !masks.some((mask) => contains(mask.source, each)))
  return {
    logins,
    notes: [
      ...(hidden.length === 0
        ? []
        : [
            `the cell does not get ${named(hidden)} in ${file}; for it there: --repo ${hidden.find((each) => each !== everyHost) ?? 'HOST'}/OWNER/NAME`,
          ]),
      ...shown.flatMap((each) => {
        const hosts = hostsOf(read(each))
        return hosts.length === 0 ? [] : [`the cell sees ${named(hosts)} in ${each}; take it out of the file, or: --mask ${each}`]
      }),
    ],
  }
}

/** Returns the config of the repository of a project, which may be a bare one; null: there is no repository. */
function configOf(project: string): string | null {
  const git = path.join(project, '.git')
  if (existsSync(git)) return configFileOf(commonDirectory(gitDirectoryOf(git) ?? git))
  return existsSync(path.join(project, 'HEAD')) ? path.join(project, 'config') : null
}

function named(hosts: readonly string[]): string {
  return `the ${hosts.length === 1 ? 'login' : 'logins'} for ${hosts.join(', ')}`
}

function read(file: string): readonly ConfigLogin[] {
  return configLogins(readRegularSync(file, mostBytes) ?? '')
}

function hostsOf(logins: readonly ConfigLogin[]): readonly string[] {
  return [...new Set(logins.map(({ host }) => host ?? everyHost))]
}

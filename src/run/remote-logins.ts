import { accessSync, constants, existsSync } from 'node:fs'
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
 * Reads the logins in the git configuration of a project. A cell's copy of it is without them (`withoutLogins`); a note says how it gets a
 * placeholder. A configuration of which the cell has no copy, because it is read-only, another user's, or in a bare repository, is named.
 */
export function remoteLogins({ project, mounts, masks, repositories }: LoginPlaces): RemoteLogins {
  const git = project === undefined ? null : path.join(project, '.git')
  const file = git === null ? null : configFileOf(commonDirectory(gitDirectoryOf(git) ?? git))
  const logins = file === null ? [] : read(file)
  const isCopied = file !== null && isWritable(path.dirname(file))
  const hidden = hostsOf(isCopied ? logins : []).filter((host) => !repositories.some((each) => each.host === host))
  const readOnly = mounts.filter((each) => each.access === 'ro').map((each) => each.source)
  const shown = [...readOnly, ...(project === undefined ? [] : [project])]
    .flatMap((each) => [path.join(each, 'config'), path.join(each, '.git/config')])
    .filter((each) => existsSync(path.join(path.dirname(each), 'HEAD')) && !(isCopied && path.dirname(each) === git))
    .filter((each) => !masks.some((mask) => contains(mask.source, each)))
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

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
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

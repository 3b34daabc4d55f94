import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { configFileOf } from '../../../git/config-put-aside.ts'
import { type GitConfigEntry, readGitConfig } from '../../../git/config-syntax.ts'
import { isFetchAddress } from '../../../git/remote-address.ts'
import { submoduleUrl } from '../../../git/submodule-url.ts'

/**
 * The submodules that the .gitmodules of a work tree declares and that are not in the config yet. `git submodule init` would copy these
 * settings (git-submodule(1)), but in a cell the config is read-only.
 */
export interface DeclaredSubmodules {
  /** The git directory of the work tree with the .gitmodules file. */
  readonly git: string
  /** The config into which git writes the settings. */
  readonly config: string
  /** The work tree with the .gitmodules file, and its path in the cell. Absent in records of older versions. */
  readonly workTree?: string
  readonly workTreeInCell?: string
  readonly submodules: readonly DeclaredSubmodule[]
  /** Submodules whose address is of a form that Paddock does not write into a config. Absent in records of older versions. */
  readonly unusable?: readonly Pick<DeclaredSubmodule, 'name' | 'path'>[]
}

export interface DeclaredSubmodule {
  readonly name: string
  /** Relative to the work tree with the .gitmodules file. Absent in records of older versions. */
  readonly path?: string
  /** Null: the config has one. */
  readonly url: string | null
  /** Null if the config has a value, or if .gitmodules has no value. */
  readonly update: string | null
}

const mostBytes = 1024 ** 2

/** Returns the declared submodules of a repository. `workTreeInCell`: the path of the work tree in the cell. */
export function declaredSubmodules(git: string, common: string, workTree: string, workTreeInCell: string): DeclaredSubmodules {
  const declared = entriesOf(path.join(workTree, '.gitmodules'))
  const config = path.join(common, 'config')
  const own = entriesOf(configFileOf(common))
  const last = (entries: readonly GitConfigEntry[], key: string): string | null =>
    entries.findLast((each) => each.key === key)?.value ?? null
  const remote = last(own, `remote.${remoteOf(git, own)}.url`) ?? workTreeInCell
  const names = new Set(declared.flatMap(({ key }) => /^submodule\.(.+)\.path$/s.exec(key)?.[1] ?? []))
  const submodules: DeclaredSubmodule[] = []
  const unusable: Pick<DeclaredSubmodule, 'name' | 'path'>[] = []
  for (const name of [...names].filter(isName)) {
    const missing = (key: string): string | null => {
      const full = `submodule.${name}.${key}`
      return own.some((each) => each.key === full) ? null : last(declared, full)
    }
    const place = last(declared, `submodule.${name}.path`) ?? ''
    const [relative, strategy] = [missing('url'), missing('update')]
    const url = relative === null ? null : submoduleUrl(relative, remote)
    // Git refuses every other strategy in this file.
    const update = strategy !== null && /^(?:checkout|rebase|merge|none)$/.test(strategy) ? strategy : null
    if (relative !== null && (url === null || !isFetchAddress(url))) unusable.push({ name, path: place })
    else if (url !== null || update !== null) submodules.push({ name, path: place, url, update })
  }
  return { git, config, workTree, workTreeInCell, submodules, unusable }
}

/** Returns the settings that `git submodule init` would write for a submodule. */
export function settingsOf({ name, url, update }: DeclaredSubmodule): readonly { readonly key: string; readonly value: string }[] {
  const key = (last: string): string => `submodule.${name}.${last}`
  return [...(url === null ? [] : [{ key: key('url'), value: url }]), ...(update === null ? [] : [{ key: key('update'), value: update }])]
}

/** Returns the remote of the branch that is checked out (git-config(1), branch.NAME.remote). */
function remoteOf(git: string, own: readonly GitConfigEntry[]): string {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(readRegularSync(path.join(git, 'HEAD'), 4096) ?? '')?.[1]
  return own.findLast((each) => each.key === `branch.${branch}.remote`)?.value ?? 'origin'
}

/** Returns true for a name that git accepts. It becomes part of a path. */
function isName(name: string): boolean {
  return !/[\x00-\x1f\x7f\ufffd]/.test(name) && !name.split(/[/\\]/).includes('..')
}

function entriesOf(file: string): readonly GitConfigEntry[] {
  const { entries, badLine } = readGitConfig(readRegularSync(file, mostBytes) ?? '')
  return badLine === null ? entries : []
}

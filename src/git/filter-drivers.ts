import { hostProgram } from '../system/host-program.ts'

/** Means to ask git about one repository. */
export interface FilterMeans {
  /** Runs git in the repository and returns its standard output; empty if git fails. */
  readonly git: (args: readonly string[], input: string) => Buffer
  /** The PATH in which git-lfs is looked for. */
  readonly searchPath: string
  /** The absolute path of the project, whose programs do not run. */
  readonly project: string
  /** The direction of the conversion: into a commit (`clean`), or to the files of a work tree (`smudge`). */
  readonly way: 'clean' | 'smudge'
}

/** A path whose content a filter driver would convert. */
export interface Converted {
  readonly path: string
  /** The setting with the driver's command, such as `filter.x.clean`. */
  readonly key: string
}

/** The filter drivers of a repository (gitattributes(5), "filter"), switched off. Only git-lfs stays on, by its absolute path. */
export interface FiltersOff {
  /** Options of git that switch the drivers off. They come before its command, and need `env`. */
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Returns those of some paths that a driver would convert. `ask`: runs git in another work tree with other attributes. */
  converted(paths: readonly string[], ask?: FilterMeans['git']): readonly Converted[]
}

/** The commands of a driver by the last part of their key, such as `clean`. */
type Driver = ReadonlyMap<string, string>

/**
 * Returns the means to store or write files without the filter drivers that are configured for the user, the machine or the repository. No
 * rule can tell which files of the project a driver's command runs: `python3 -m x` runs x.py of its working directory.
 */
export function filtersOff({ git, searchPath, project, way }: FilterMeans): FiltersOff {
  const drivers = driversIn(settingsLike(git, '^filter\\.'))
  // Extensions and transfer agents of git-lfs are commands that git-lfs runs. It transfers only what it writes to a work tree.
  const ofLfs = way === 'clean' ? '^lfs\\.extension\\.' : '^lfs\\.(extension|customtransfer)\\.'
  const lfs = settingsLike(git, ofLfs).length === 0 ? hostProgram('git-lfs', searchPath, [project]) : null
  const isOn = (driver: Driver): boolean => lfs !== null && isLfs(driver)
  const program = `'${(lfs ?? '').replaceAll("'", String.raw`'\''`)}'`
  const commandOf = (driver: Driver): string | undefined =>
    isOn(driver) ? undefined : ['process', way].find((each) => converts(driver.get(each)))
  return {
    // Options of git come after all other settings, also those in variables. The name of a driver may contain "=".
    options: [...drivers].flatMap(([name, driver]) => {
      const [on, required] = isOn(driver) ? ['LFS', 'YES'] : ['NO', 'NO']
      const kept = isOn(driver) && / --skip\b/.test(driver.get('smudge') ?? driver.get('process') ?? '') ? '_SKIP' : ''
      return [
        `--config-env=filter.${name}.clean=PADDOCK_${on}_CLEAN`,
        `--config-env=filter.${name}.process=PADDOCK_${on}_PROCESS${kept}`,
        `--config-env=filter.${name}.smudge=PADDOCK_${on}_SMUDGE${kept}`,
        `--config-env=filter.${name}.required=PADDOCK_${required}`,
      ]
    }),
    env: {
      PADDOCK_NO_CLEAN: '',
      PADDOCK_NO_PROCESS: '',
      PADDOCK_NO_SMUDGE: '',
      PADDOCK_LFS_CLEAN: `${program} clean -- %f`,
      PADDOCK_LFS_PROCESS: `${program} filter-process`,
      PADDOCK_LFS_PROCESS_SKIP: `${program} filter-process --skip`,
      PADDOCK_LFS_SMUDGE: `${program} smudge -- %f`,
      PADDOCK_LFS_SMUDGE_SKIP: `${program} smudge --skip -- %f`,
      PADDOCK_NO: 'false',
      PADDOCK_YES: 'true',
    },
    converted(paths, ask = git) {
      if (paths.length === 0 || ![...drivers.values()].some((each) => commandOf(each) !== undefined)) return []
      // PATH, "filter", NAME for each path (git-check-attr(1)).
      const words = ask(['check-attr', '-z', '--stdin', 'filter'], paths.map((each) => `${each}\0`).join(''))
        .toString()
        .split('\0')
      return paths.flatMap((each, index) => {
        const name = words[3 * index + 2] ?? ''
        const command = commandOf(drivers.get(name) ?? new Map())
        return command === undefined ? [] : [{ path: each, key: `filter.${name}.${command}` }]
      })
    },
  }
}

/** Returns true for a command that may change what it reads. */
function converts(command: string | undefined): boolean {
  return !['', 'cat'].includes(command ?? '')
}

function isLfs(driver: Driver): boolean {
  const [process, smudge] = [driver.get('process') ?? '', driver.get('smudge') ?? '']
  return (
    /^git[- ]lfs clean(?: --)? (?:%f|"%f")$/.test(driver.get('clean') ?? '') &&
    (smudge === '' || /^git[- ]lfs smudge(?: --skip)?(?: --)? (?:%f|"%f")$/.test(smudge)) &&
    (process === '' || /^git[- ]lfs filter-process(?: --skip)?$/.test(process))
  )
}

/** Returns the settings whose keys match, as git reads them: key and value. */
export function settingsLike(git: FilterMeans['git'], keys: string): readonly (readonly [string, string])[] {
  return git(['config', '-z', '--get-regexp', keys], '')
    .toString()
    .split('\0')
    .filter((each) => each !== '')
    .map((each) => {
      const end = each.indexOf('\n')
      return end === -1 ? [each, ''] : [each.slice(0, end), each.slice(end + 1)]
    })
}

function driversIn(found: ReturnType<typeof settingsLike>): ReadonlyMap<string, Driver> {
  const drivers = new Map<string, Map<string, string>>()
  for (const [key, value] of found) {
    const [, name, last = ''] = /^filter\.(.*)\.([^.]+)$/s.exec(key) ?? []
    if (name === undefined) continue
    const driver = drivers.get(name) ?? new Map<string, string>()
    drivers.set(name, driver.set(last, value))
  }
  return drivers
}

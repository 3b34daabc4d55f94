import { type Converted, type FilterMeans, settingsLike } from './filter-drivers.ts'

/** The merge drivers of a repository (gitattributes(5), "merge"), replaced by one that fails. */
export interface MergeDriversOff {
  /** Options of git that switch the drivers off. They come before its command, and need `env`. */
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Returns the first file for which git needed a driver, from the standard error of a merge; null: it needed none. */
  wantedIn(stderr: string): Converted | null
}

const mark = 'paddock-merge-driver'

/**
 * Returns the means to merge without the drivers that are configured. As with filters, no rule can tell which files their commands run. An
 * empty command would succeed, and git would drop the changes of the other side.
 */
export function mergeDriversOff(git: FilterMeans['git']): MergeDriversOff {
  const keys = [...new Set(settingsLike(git, String.raw`^merge\..*\.driver$`).map(([key]) => key))]
  return {
    options: keys.map((each, index) => `--config-env=${each}=PADDOCK_MERGE_${index}`),
    // Git replaces %P by the quoted path, and %% by a percent sign.
    env: Object.fromEntries(keys.map((_, index) => [`PADDOCK_MERGE_${index}`, `printf '${mark} ${index} %%s\\n' %P >&2; exit 1`])),
    wantedIn(stderr) {
      const [, index, path] = new RegExp(`^${mark} (\\d+) (.*)$`, 'm').exec(stderr) ?? []
      const key = keys[Number(index)]
      return key === undefined ? null : { path: path ?? '', key }
    },
  }
}

import { carriedAliases } from './carried-aliases.ts'
import type { EffectiveSetting } from './effective-settings.ts'

/** A program that a cell may lack, such as `git-lfs`, or the first word of a command. */
export type IsProgram = (name: string) => boolean

/** The settings that a cell's git gets in addition to the repository's own configuration. */
export interface CarriedSettings {
  /** For the cell's system-wide configuration. */
  readonly settings: readonly EffectiveSetting[]
  /** Settings that must take precedence over the repository's own configuration. */
  readonly overrides: readonly (readonly [key: string, value: string])[]
  /** True if git outside would sign. */
  readonly signing: boolean
  /** The filters that the cell does not have. Git refuses to add files that need one. */
  readonly withoutFilter: readonly string[]
  /** The value of the user's `core.hooksPath`, which does not apply in the cell; null if it is not set. */
  readonly hooksPath: string | null
}

/** Keys whose value decides what is committed, merged or shown, and neither runs a program nor names a host or a file. */
const plain =
  /^(user\.(name|email|useconfigonly)|(author|committer)\.(name|email)|core\.(autocrlf|eol|safecrlf|ignorecase|precomposeunicode|quotepath|abbrev)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|merge\.(conflictstyle|ff|renames)|diff\.(algorithm|renames)|diff\..+\.xfuncname|rerere\.[a-z0-9-]+|rebase\.(autosquash|autostash|updaterefs)|commit\.cleanup)$/s
const signingKeys = ['commit.gpgsign', 'tag.gpgsign', 'tag.forcesignannotated', 'push.gpgsign']
/** The commands that `git lfs install` writes, each with and without `--skip` (git-lfs-install(1)). */
const lfsCommands: Readonly<Record<string, RegExp>> = {
  clean: /^git-lfs clean -- %f$/,
  smudge: /^git-lfs smudge (--skip )?-- %f$/,
  process: /^git-lfs filter-process( --skip)?$/,
}
const refused = 'echo "paddock: this filter is not available in a cell" >&2; false'
/** Without blanks, so that git starts it without a shell. Git then stops before it changes anything (ll_ext_merge in git's merge-ll.c). */
const unrunnable = '/nonexistent/paddock-merge-driver'

/**
 * Returns what a cell's git adopts from the settings of the user and the machine. `own`: the settings of the repositories in the
 * project, which git reads in the cell as well. `inCell`: returns true for a program that the cell has.
 */
export function carriedSettings(user: readonly EffectiveSetting[], own: readonly EffectiveSetting[], inCell: IsProgram): CarriedSettings {
  const last = new Map(user.map((each) => [each.key, each]))
  const settings = [...[...last.values()].filter(({ key }) => plain.test(key)), ...carriedAliases(last)]
  const filters = namesOf(user, 'filter', ['clean', 'smudge', 'process'])
  const lfs = inCell('git-lfs')
  const carriedFilters = filters.filter((name) => lfs && isLfs(name, last))
  for (const name of carriedFilters)
    settings.push(...['clean', 'smudge', 'process', 'required'].flatMap((each) => last.get(`filter.${name}.${each}`) ?? []))
  // Without it, a missing object ends a checkout half-way, because a cell may not reach the server.
  if (lfs) settings.push({ key: 'lfs.skipdownloaderrors', value: 'true' })
  const withoutFilter = filters.filter((each) => !carriedFilters.includes(each))
  for (const name of withoutFilter)
    settings.push(
      { key: `filter.${name}.clean`, value: refused },
      { key: `filter.${name}.smudge`, value: refused },
      { key: `filter.${name}.required`, value: 'true' },
    )
  for (const name of namesOf(user, 'merge', ['driver'])) settings.push({ key: `merge.${name}.driver`, value: unrunnable })
  for (const key of signingKeys) settings.push({ key, value: 'false' })
  const all = new Map([...last, ...own.map((each) => [each.key, each] as const)])
  return {
    settings,
    overrides: overridesOf(own, inCell),
    signing: signingKeys.some((each) => isOn(all.get(each))),
    withoutFilter,
    hooksPath: last.get('core.hookspath')?.value || null,
  }
}

/** Returns the settings that a repository's own configuration needs in a cell that lacks its keys and some of its programs. */
function overridesOf(own: readonly EffectiveSetting[], inCell: IsProgram): CarriedSettings['overrides'] {
  const last = new Map(own.map((each) => [each.key, each]))
  const isMissing = (key: string): boolean => {
    const command = last.get(key)?.value
    return command != null && command !== '' && !startsWithProgram(command, inCell)
  }
  const filters = namesOf(own, 'filter', ['clean', 'smudge', 'process']).flatMap((name) => {
    const key = (part: string): string => `filter.${name}.${part}`
    if (!['clean', 'smudge', 'process'].some((part) => isMissing(key(part)))) return []
    // A required filter without one of its two commands fails for it.
    const passing = last.has(key('process')) ? [] : ['clean', 'smudge'].filter((part) => !last.get(key(part))?.value)
    return [[key('required'), 'true'] as const, ...passing.map((part) => [key(part), 'cat'] as const)]
  })
  const drivers = namesOf(own, 'merge', ['driver'])
    .filter((name) => isMissing(`merge.${name}.driver`))
    .map((name) => [`merge.${name}.driver`, unrunnable] as const)
  return [...signingKeys.filter((each) => isOn(last.get(each))).map((each) => [each, 'false'] as const), ...filters, ...drivers]
}

/** Returns true for a command whose first word is a program of the cell. Shell text that begins otherwise counts as missing. */
function startsWithProgram(command: string, inCell: IsProgram): boolean {
  const word = /^\s*([\w./+-]+)(?=\s|$)/.exec(command)?.[1]
  return word !== undefined && inCell(word)
}

function namesOf(settings: readonly EffectiveSetting[], section: string, names: readonly string[]): readonly string[] {
  const found = settings.flatMap(({ key }) => {
    const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
    return key.slice(0, first) === section && first < last && names.includes(key.slice(last + 1)) ? [key.slice(first + 1, last)] : []
  })
  return [...new Set(found)]
}

function isLfs(name: string, last: ReadonlyMap<string, EffectiveSetting>): boolean {
  return Object.entries(lfsCommands).every(([part, command]) => {
    const found = last.get(`filter.${name}.${part}`)
    return found === undefined || (found.value !== null && command.test(found.value))
  })
}

/** Returns true unless git reads the value as false (git-config(1), Values, boolean). */
function isOn(setting: EffectiveSetting | undefined): boolean {
  return setting !== undefined && !['false', 'no', 'off', '0', ''].includes(setting.value?.toLowerCase() ?? 'true')
}

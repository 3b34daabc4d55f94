import type { EffectiveSetting } from './effective-settings.ts'

/** Commands that use no network and whose arguments are not programs. Arguments of others may be tokens. */
const localCommands = new Set(
  `add am apply blame branch cat-file checkout cherry cherry-pick clean commit count-objects describe diff diff-tree for-each-ref
  format-patch fsck gc grep help init log ls-files ls-tree merge merge-base mv name-rev notes range-diff rebase reflog reset restore
  rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status switch symbolic-ref tag update-index
  version whatchanged worktree`.split(/\s+/),
)
/** Options of git(1) without a value, in front of the command. */
const ofGit = new Set(['-p', '-P', '--paginate', '--no-pager', '--no-optional-locks', '--literal-pathspecs'])
const withValue =
  /^--(?:pretty|format|date|color|abbrev|stat|decorate|sort|since|until|after|before|diff-filter|word-diff|max-count|diff-algorithm|conflict)=/
/** A program, an address, or an account. */
const unsafe = /!|:\/\/|@/
/** `git rebase` runs the rest of the word or the next word, and may read short options in a group. */
const runsProgram = /^(?:-[a-z]*x|--e)/
const mostSteps = 10

/**
 * Returns the aliases that contain no program, no address and nothing that may be a secret. `last`: the settings by key. An alias of
 * another alias is returned only if that one is.
 */
export function carriedAliases(last: ReadonlyMap<string, EffectiveSetting>): readonly EffectiveSetting[] {
  return [...last.values()].filter(({ key, value }) => key.startsWith('alias.') && isSafe(value, last, mostSteps))
}

function isSafe(value: string | null, last: ReadonlyMap<string, EffectiveSetting>, steps: number): boolean {
  if (value === null || unsafe.test(value) || steps === 0) return false
  const words = wordsOf(value)
  const at = words?.findIndex((each) => !ofGit.has(each)) ?? -1
  if (words === null || at < 0) return false
  const command = words[at] ?? ''
  const rest = words.slice(at + 1)
  if (rest.some((each) => each.includes('=') && !withValue.test(each))) return false
  if (localCommands.has(command)) return command !== 'rebase' || !rest.some((each) => runsProgram.test(each))
  const other = last.get(`alias.${command.toLowerCase()}`) ?? last.get(`alias.${command}.command`)
  // The options of this alias would be those of the last command.
  return other !== undefined && rest.length === 0 && isSafe(other.value, last, steps - 1)
}

/** Splits an alias like git (split_cmdline in git's alias.c). Null if a quotation has no end. */
function wordsOf(text: string): readonly string[] | null {
  const words: string[] = []
  const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/sy
  let word: string | null = null
  while (part.lastIndex < text.length) {
    const found = part.exec(text)
    if (found === null) return null
    const [, single, double, escaped, plain, blank] = found
    if (blank === undefined) word = (word ?? '') + (single ?? double?.replace(/\\(.)/gs, '$1') ?? escaped ?? plain ?? '')
    else if (word !== null) {
      words.push(word)
      word = null
    }
  }
  if (word !== null) words.push(word)
  return words
}

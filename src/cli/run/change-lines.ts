import path from 'node:path'
import { rulesOfHost } from '../../adapters/agent-facts.ts'
import { shellWord } from '../../base/shell-word.ts'
import { listed, printable } from '../../base/text.ts'
import type { ChangeSummary } from '../../cell/report.ts'
import { say } from '../terminal/terminal-output.ts'

/** Maximum length of a setting in a line. */
const mostSetting = 100
const mostReasons = 10
const mostPlaces = 3
const mostOneByOne = 10
const mostGroups = 20

/** Returns one line with the changed files that will run later. Each reason appears once, so that many files cannot hide another reason. */
export function laterLines({ runsLater }: Pick<ChangeSummary, 'runsLater'>): readonly string[] {
  if (runsLater.length === 0) return []
  const reasons = [...Map.groupBy(runsLater, (each) => each.why)].map(([why, files]) => `${placesOf(files)} (${why})`)
  return [printable(`review these before you go on; they can run on your machine: ${listed(reasons, mostReasons)}`)]
}

/** Returns the paths of a few files, or for many files their directories, each with a count. */
function placesOf(files: readonly { readonly path: string }[]): string {
  const paths = files.map((each) => each.path)
  if (paths.length <= mostPlaces) return paths.join(', ')
  const groups = [...Map.groupBy(paths, (each) => path.dirname(each))].map(([directory, inIt]) =>
    inIt.length === 1 ? { text: inIt.join(), count: 1 } : { text: `${inIt.length} in ${directory}/`, count: inIt.length },
  )
  const rest = groups.slice(mostPlaces).reduce((sum, each) => sum + each.count, 0)
  const shown = groups.slice(0, mostPlaces).map((each) => each.text)
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`
}

/** Returns the protected files whose version changed in git, while git in the cell did not touch the files themselves. */
export function heldLines({ held }: ChangeSummary): readonly string[] {
  if (held === undefined) return []
  const lines: string[] = []
  if (held.updated.length > 0) lines.push(`brought to the version of your own commit after the run: ${listed(held.updated, 6)}`)
  if (held.left.length > 0)
    lines.push(
      `left as they are, though git has another version checked out: ${listed(held.left, 6)}; to take that version: git checkout -- ${held.left.slice(0, 6).map(shellWord).join(' ')}`,
    )
  for (const [from, files] of Map.groupBy(held.uncommitted ?? [], (each) => each.from)) {
    const paths = files.map((each) => each.path)
    lines.push(
      `not in the agent's commits as before its git reset, which passed over them: ${listed(paths, 6)}; to get these versions back: git restore -s ${from.slice(0, 10)} -SW -- ${paths.slice(0, 6).map(shellWord).join(' ')}`,
    )
  }
  if (held.hidden?.length)
    lines.push(
      `new protected files, hidden until your sparse checkout is applied again: ${listed(held.hidden, 6)}; to do so: git sparse-checkout reapply`,
    )
  if (held.untracked?.length)
    lines.push(
      `left as they are, though the agent removed them in git: ${listed(held.untracked, 6)}; to delete them: rm -- ${held.untracked.slice(0, 6).map(shellWord).join(' ')}`,
    )
  return lines.map(printable)
}

/** Returns the submodules that are checked out but not registered, per work tree. */
export function submoduleLines({ unregistered = [] }: ChangeSummary): readonly string[] {
  return [...Map.groupBy(unregistered, (each) => each.workTree)].map(([workTree, entries]) => {
    const git = workTree === '.' ? 'git' : `git -C ${shellWord(workTree)}`
    const words = entries.slice(0, 6).map((each) => shellWord(each.path))
    const shown = entries.map((each) => path.join(workTree, each.path))
    return printable(
      `new submodules that are not in .git/config: ${listed(shown, 6)}; to register them: ${git} submodule init -- ${words.join(' ')}`,
    )
  })
}

/** Returns one line with the git directories that the cell made and that stay, and what was removed from them. */
export function launderedLines({ laundered = [] }: ChangeSummary): readonly string[] {
  if (laundered.length === 0) return []
  const each = laundered.map(({ path: at, removed }) => (removed.length === 0 ? at : `${at} (without ${listed(removed, 4)})`))
  return [printable(`new repositories, rewritten so that they run nothing: ${listed(each, 4)}`)]
}

/** Returns one line with the new links that lead out of the project. Links to the same place count as one. */
export function linkLines({ linksOut = [] }: Pick<ChangeSummary, 'linksOut'>): readonly string[] {
  if (linksOut.length === 0) return []
  const places = [...Map.groupBy(linksOut, (each) => each.target)].map(([target, links]) => `${placesOf(links)} → ${target}`)
  return [printable(`new links lead out of the project, and programs on your machine follow them: ${listed(places, mostReasons)}`)]
}

/** Returns the settings that a cell made in its copy of a repository's config and that were not written into the config. */
export function configLines({ configs = [] }: ChangeSummary): readonly string[] {
  return configs
    .filter((each) => each.left.length > 0)
    .map(({ path: at, left }) =>
      printable(
        `not written to ${at}, which your own git obeys: ${listed(
          left.map((each) => each.slice(0, mostSetting)),
          4,
        )}; ${left.some(isOfHusky) ? 'to install the hooks, run on your machine: npx husky' : 'if you want a setting: git config KEY VALUE'}`,
      ),
    )
}

/** Returns one line with the hooks that were removed with the cell. */
export function discardedLines({ discarded = [] }: ChangeSummary): readonly string[] {
  if (discarded.length === 0) return []
  const shown = placesOf(discarded.map((each) => ({ path: each })))
  return [
    printable(
      `not kept, because hooks run on your machine: ${shown}; to install hooks, run outside of the cell what installs them, for example: pre-commit install`,
    ),
  ]
}

/** Returns true for the setting that husky makes when it installs its hooks, usually as npm's `prepare`. */
function isOfHusky(setting: string): boolean {
  return /^core\.hookspath=(?:.*\/)?\.husky(?:\/_)?$/i.test(setting)
}

/** Returns the quarantined paths and those that could not be searched. Many quarantined paths are grouped, one line per rule. */
export function asideLines({ quarantined, unsearched }: ChangeSummary): readonly string[] {
  const ranked = quarantined.map((each) => ({ ...each, ...ruleOf(each.path) }))
  const groups = [...Map.groupBy(ranked, (each) => (quarantined.length > mostOneByOne ? each.name : each.path)).values()]
  // The sort is stable, so paths of the same rank stay in the order in which they were found.
  groups.sort(([a], [b]) => (a?.rank ?? 0) - (b?.rank ?? 0))
  const lines = groups.slice(0, mostGroups).map((group) => {
    const [first] = group
    const more = group.length === 1 ? '' : `, and ${group.length - 1} more of ${first?.name}`
    return `quarantined (a tool on your machine would run it): ${first?.path} → ${first?.movedTo}${more}`
  })
  if (unsearched.length > 0) lines.push(`could not be searched; check before you enter: ${listed(unsearched, 6)}`)
  const unlisted = groups.slice(mostGroups).reduce((sum, each) => sum + each.length, 0)
  if (unlisted > 0) lines.push(`and ${unlisted} more quarantined`)
  return lines.map(printable)
}

/**
 * Returns the name by which a quarantined path was protected, and its rank. Repositories come first. Names that the cell chose come last,
 * as one group, so that many of them cannot hide the others.
 */
function ruleOf(file: string): { readonly name: string; readonly rank: number } {
  const name = path.basename(file)
  if (name === '.git' || name === 'HEAD') return { name, rank: -1 }
  const { protectedAt, runLater } = rulesOfHost
  const rule = protectedAt(file)
  return rule === null ? { name: 'other names', rank: runLater.length } : { name: rule.path, rank: runLater.indexOf(rule) }
}

/** Reports the changes of cells whose Paddock was killed before it could report them. */
export function saySwept(changes: ChangeSummary): void {
  const lines = [heldLines, submoduleLines, linkLines, launderedLines, configLines, asideLines].flatMap((each) => each(changes))
  for (const each of lines) say(`left behind by a killed run: ${each}`)
}

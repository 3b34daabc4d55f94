import { shellWord } from '../base/shell-word.ts'
import { listed, printable } from '../base/text.ts'
import type { ChangeSummary, GitChanges } from '../cell/report.ts'

/** More commits are not counted. */
const mostCounted = 1_000
/** The most commits and paths that are named in lines. */
const mostCommits = 5
const mostPaths = 5

type Files = Pick<ChangeSummary, 'created' | 'modified' | 'deleted' | 'renamed' | 'truncated'>

/** Returns the numbers of files that changed: `2 files added, 1 deleted`. */
export function filesText({ created, modified, deleted, renamed, truncated }: Files): string {
  const kinds = [
    [created.length, 'added'],
    [modified.length, 'modified'],
    [deleted.length, 'deleted'],
    [renamed.length, 'renamed'],
  ] as const
  const parts = kinds.filter(([count]) => count > 0).map(([count, verb], at) => `${at === 0 ? counted(count, 'file') : count} ${verb}`)
  if (parts.length === 0) return truncated ? 'no file changed in what could be searched' : 'no file changed'
  return `${truncated ? 'at least ' : ''}${parts.join(', ')}`
}

/** Returns what changed in a work tree, one text for each fact; empty if nothing did. */
export function gitFacts(git: Omit<GitChanges, 'workTree'>): readonly string[] {
  const { branchBefore, branchAfter, headBefore, headAfter, commitCount, commits, inProgress, stashes } = git
  const isSwitched = branchBefore !== branchAfter
  const place = `${branchAfter ?? `no branch, at ${short(headAfter)}`}${isSwitched ? ` (was on ${branchBefore ?? 'no branch'})` : ''}`
  const isOnHead = commits.some((each) => each.hash === headAfter)
  const made = commitCount !== null && commitCount > mostCounted ? `at least ${mostCounted} commits` : counted(commitCount ?? 0, 'commit')
  const facts: string[] = []
  if (commitCount === null) facts.push('commits that could not be read')
  else if (commitCount > 0) facts.push(`${made} on ${isOnHead ? place : 'other branches'}`)
  if (isSwitched && (commitCount === 0 || !isOnHead)) facts.push(`now on ${place}`)
  else if (headBefore !== headAfter && !isOnHead) facts.push(`${place} moved from ${short(headBefore)} to ${short(headAfter)}`)
  if (inProgress !== null) facts.push(`${inProgress} in progress`)
  if (stashes > 0) facts.push(`${counted(stashes, 'stash', 'stashes')} made`)
  return facts.map(printable)
}

/**
 * Returns lines with the facts of work trees other than the project, the commands that end an operation in progress, the commits with their subjects, and the protected paths that they
 * change.
 */
export function gitLines(git: readonly GitChanges[]): readonly string[] {
  return git.flatMap((each) => {
    const inTree = each.workTree === '.' ? '' : `in ${each.workTree}: `
    const facts = each.workTree === '.' ? [] : [`${inTree}${gitFacts(each).join(' · ')}`]
    const shown = each.commits.slice(0, mostCommits).map(({ hash, subject }) => `${short(hash)} ${subject}`)
    const rest = (each.commitCount ?? 0) - shown.length
    const touching = each.commits.filter(({ protected: paths }) => paths.length > 0)
    const named = touching.slice(0, mostCommits).map(({ hash, protected: paths }) => {
      return `${inTree}commit ${short(hash)} changes protected paths: ${listed(paths, mostPaths)}`
    })
    if (touching.length > mostCommits) named.push(`${inTree}${touching.length - mostCommits} more commits change protected paths`)
    const commits = `${inTree}commits: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
    return [...facts, ...endingOf(each), ...(shown.length === 0 ? [] : [commits]), ...named].map(printable)
  })
}

/** Returns the commands that end an operation in progress. */
function endingOf({ workTree, inProgress }: GitChanges): readonly string[] {
  if (inProgress === null) return []
  const git = workTree === '.' ? 'git' : `git -C ${shellWord(workTree)}`
  const command = (how: string): string => `${git} ${inProgress} ${how}`
  const commands = inProgress === 'bisect' ? command('reset') : `${command('--continue')} or, to undo it, ${command('--abort')}`
  return [`to end the ${inProgress}: ${commands}`]
}

const short = (commit: string | null): string => commit?.slice(0, 10) ?? 'no commit'

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

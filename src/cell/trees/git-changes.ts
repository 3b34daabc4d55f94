import path from 'node:path'
import { printable } from '../../base/text.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { readRefs, workTreeDirectories } from '../../git/tips.ts'
import type { RunLaterRules } from '../plan/protected/run-later.ts'
import type { GitChanges, MadeCommit } from '../report.ts'
import { type GitBefore, type GitState, gitState, stashesIn } from './git-before.ts'
import { isProtected } from './hidden-in-git.ts'
import { OwnRepository } from './own-repository.ts'

/** Bounds of what is read of one repository. */
const most = { tips: 500, known: 5_000, counted: 1_000, listed: 100, protected: 20 }

type Commits = Pick<GitChanges, 'commits' | 'commitCount'>
const none: Commits = { commits: [], commitCount: 0 }

/**
 * Returns the work trees in which something changed, with absolute paths. Only git directories of Paddock's own are used; refs and objects
 * are data of the cell. `scratch`: an empty directory of Paddock's own. Never rejects because of what a cell wrote.
 */
export async function gitChanges(before: GitBefore, scratch: string, rules: RunLaterRules): Promise<readonly GitChanges[]> {
  const changed: GitChanges[] = []
  for (const [n, [common, then]] of [...before.repositories].entries()) {
    const ids = readRefs(common).ids()
    const here = before.workTrees
      .filter(({ at }) => at.common === common)
      .map((each) => ({ ...each, now: gitState(each.at, { ids: () => ids }) }))
    const old = then.refs.ids()
    // A ref that was not read at the start is not a new one.
    const isNew = (ref: string, id: string): boolean => old.get(ref) !== id && (then.refs.isWhole || old.has(ref))
    const branches = [...ids].filter(([ref, id]) => ref.startsWith('refs/heads/') && isNew(ref, id))
    const elsewhere =
      branches.length === 0
        ? new Set()
        : checkedOutElsewhere(
            common,
            here.map(({ at }) => at.own),
          )
    const heads = here.flatMap(({ state, now }) => (now.head === null || now.head === state.head ? [] : [now.head]))
    const tips = [...new Set([...branches.filter(([ref]) => !elsewhere.has(ref)).map(([, id]) => id), ...heads])]
    // Branches come first, because tags seldom have commits of their own.
    const oldest = [...old].sort(([a], [b]) => Number(a.startsWith('refs/tags/')) - Number(b.startsWith('refs/tags/')))
    const known = [...new Set([...here.flatMap(({ state }) => state.head ?? []), ...oldest.map(([, id]) => id)])]
    const own = new OwnRepository(
      path.join(scratch, `commits-${n}`),
      common,
      tips.some((each) => each.length === 64),
    )
    const commits = await madeCommits(own, tips.slice(0, most.tips), known.slice(0, most.known), rules)
    const stashes = Math.max(0, stashesIn(common) - then.stashes)
    for (const [index, { at, state, now }] of here.entries()) {
      const each = index === 0 ? changesOf(at.path, state, now, commits, stashes) : changesOf(at.path, state, now, none, 0)
      if (each !== null) changed.push(each)
    }
  }
  return changed
}

/** Returns the branches in work trees other than these. Other cells, or the user, commit to them at the same time. */
function checkedOutElsewhere(common: string, own: readonly string[]): ReadonlySet<string> {
  const others = workTreeDirectories(common).filter((each) => !own.includes(each))
  return new Set(
    others.flatMap((each) => /^ref: (refs\/heads\/\S+)$/.exec(readRegularSync(path.join(each, 'HEAD'), 4096)?.trim() ?? '')?.[1] ?? []),
  )
}

function changesOf(workTree: string, before: GitState, now: GitState, commits: Commits, stashes: number): GitChanges | null {
  const isSame = before.branch === now.branch && before.head === now.head && before.inProgress === now.inProgress
  if (isSame && commits.commitCount === 0 && stashes === 0) return null
  return {
    workTree,
    branchBefore: before.branch,
    branchAfter: now.branch,
    headBefore: before.head,
    headAfter: now.head,
    ...commits,
    inProgress: now.inProgress,
    stashes,
  }
}

/** Returns the commits that the tips have and the known objects do not. */
async function madeCommits(own: OwnRepository, tips: readonly string[], known: readonly string[], rules: RunLaterRules): Promise<Commits> {
  if (tips.length === 0) return none
  try {
    const input = `${tips.join('\n')}\n${known.map((each) => `^${each}\n`).join('')}`
    const list = ['rev-list', `--max-count=${most.counted + 1}`, '--ignore-missing', '--format=%H %<(150,trunc)%s', '--stdin']
    const found = (await own.run(list, { input })).toString('utf8').matchAll(/^([0-9a-f]{40,64}) (.*)$/gm)
    const all = [...found].map(([, hash = '', subject = '']) => ({ hash, subject: printable(subject.trim()) }))
    const listed = all.slice(0, most.listed)
    const protectedOf = await protectedIn(
      own,
      listed.map((each) => each.hash),
      rules,
    )
    const commits: MadeCommit[] = listed.map((each) => ({ ...each, protected: protectedOf.get(each.hash) ?? [] }))
    return { commits, commitCount: all.length }
  } catch {
    return { commits: [], commitCount: null }
  }
}

/** Returns the protected paths that each commit changes; for a merge, those that differ from all of its parents. */
async function protectedIn(own: OwnRepository, commits: readonly string[], rules: RunLaterRules): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>(commits.map((each) => [each, []]))
  if (commits.length === 0) return found
  const compare = ['diff-tree', '--stdin', '-r', '-z', '-c', '--root', '--name-only', '--no-renames']
  let commit: string[] = []
  for (const each of (await own.run(compare, { input: `${commits.join('\n')}\n` })).toString('utf8').split('\0')) {
    const start = found.get(each)
    if (start !== undefined) commit = start
    else if (each !== '' && commit.length < most.protected && isProtected(each, rules)) commit.push(each)
  }
  return found
}

import { firstLines } from '../../base/text.ts'
import type { Job } from '../store/job-records.ts'
import { block, code, cut, cutFile, longestMessage, shown } from './discord-markdown.ts'

/** The most paths that are listed. */
const mostListed = 10

export interface ResultPost {
  readonly content: string
  readonly file: { readonly name: string; readonly text: string } | null
}

/** Returns the post for a job that has ended: its outcome, cost, changes and answer. A long answer is attached as a file. */
export function resultPost(job: Pick<Job, 'id' | 'state' | 'result' | 'problem'>, agent: string): ResultPost {
  const { result } = job
  const head = [
    `${code(agent)}: **${job.state}**, job ${code(job.id)}`,
    ...(result?.costUsd == null ? [] : [`$${result.costUsd.toFixed(2)}`]),
    ...changedText(result?.changes ?? null),
  ].join(' · ')
  const why = job.problem ?? result?.outcome.message ?? null
  const lines = [
    head,
    ...(why === null || job.state === 'done' ? [] : [code(cut(why, 300))]),
    ...pathsOf(result?.changes ?? null),
    ...(result?.worktree == null ? [] : [`Its work is on the branch ${code(result.worktree.name)}: \`paddock job review ${job.id}\``]),
    ...(result?.copy == null ? [] : [`Its changes wait for a review: \`paddock job review ${job.id}\``]),
  ]
  const above = cut(lines.join('\n'), longestMessage - 100)
  const text = shown(result?.text ?? '').trim()
  if (text === '') return { content: above, file: null }
  const whole = `${above}\n${block(text)}`
  if (whole.length <= longestMessage) return { content: whole, file: null }
  return { content: `${above}\nThe answer is in the file.`, file: { name: `answer-${job.id}.txt`, text: cutFile(text) } }
}

type Changes = NonNullable<NonNullable<Job['result']>['changes']>

function changedText(changes: Changes | null): readonly string[] {
  if (changes === null) return []
  const count = [changes.created, changes.modified, changes.deleted, changes.renamed].reduce((sum, each) => sum + each.length, 0)
  const commits = changes.git.reduce((sum, each) => sum + (each.commitCount ?? 0), 0)
  return [
    ...(count === 0 ? [] : [`${count}${changes.truncated ? ' or more' : ''} ${count === 1 ? 'file' : 'files'} changed`]),
    ...(commits === 0 ? [] : [commits === 1 ? '1 commit' : `${commits} commits`]),
  ]
}

function pathsOf(changes: Changes | null): readonly string[] {
  if (changes === null) return []
  const all = [
    ...changes.created.map((each) => `+ ${each}`),
    ...changes.modified.map((each) => `~ ${each}`),
    ...changes.deleted.map((each) => `- ${each}`),
    ...changes.renamed.map(({ from, to }) => `${from} → ${to}`),
  ]
  if (all.length === 0) return []
  return [
    firstLines(
      all.map((each) => code(cut(each, 100))),
      mostListed,
    ).join(' '),
  ]
}

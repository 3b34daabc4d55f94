import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { readRegular } from '../../files/read-regular.ts'
import { parseStored } from '../../files/stored-json.ts'
import { readChecks } from '../checks/run-checks.ts'
import { settledChecks } from '../checks/settled.ts'
import type { Contest } from '../config/brief.ts'
import { scoresFileSchema, verdictFileSchema } from '../judging/answer-files.ts'
import type { FoundCitation } from '../judging/citations.ts'
import { readIdentity } from '../judging/identity/identity-record.ts'
import { identityWords } from '../judging/identity/telling-words.ts'
import { type Mapping, readMapping, type Task } from '../judging/mapping.ts'
import { readOrders } from '../judging/orders/orders-record.ts'
import { maxAnswerBytes } from '../judging/scores.ts'
import { readYours } from '../judging/yours/your-answers.ts'
import type { Summary } from '../ranking/contest-summary.ts'
import type { Control, Findings, RubricAnswer } from '../ranking/findings.ts'
import { type Seal, sealSchema } from '../seal/seal-schema.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { countedJudging, isComplete } from '../state/counted-judging.ts'
import { givenTo } from '../state/given.ts'
import { answersWithOrders, pairOf, type Verdict } from './answers-of-judging.ts'
import { deniedIn } from './denied.ts'

/** The maximum length of a review.md in a report, in characters. */
const maxReviewLength = 50_000

/** Reads the data for a report of this status. */
export async function readFindings(contest: Contest, status: ContestStatus): Promise<Findings> {
  const { layout, config } = contest
  const seals = new Map<string, Seal>()
  const checks = new Map<string, Awaited<ReturnType<typeof readChecks>>>()
  for (const { name } of config.participants) {
    const at = status.participants[name]
    if (at?.state !== 'sealed' && at?.state !== 'checked') continue
    const sealed = layout.sealed(status.round, name)
    seals.set(name, parseStored(sealed.seal, await readFile(sealed.seal, 'utf8'), sealSchema, 2))
    if (at.state === 'checked') checks.set(name, await readChecks(sealed.checks))
  }
  const denied = await deniedIn(layout, config, status)
  const given = { participant: givenTo('participant', contest), judge: givenTo('judge', contest) }
  const yours = await readYourPairs(contest, status, seals)
  return { config, status, seals, checks: settledChecks(checks), given, denied, yours, ...(await readJudging(contest, status, seals)) }
}

/** Reads your answers about the current seals. */
async function readYourPairs({ layout }: Contest, { round }: ContestStatus, seals: ReadonlyMap<string, Seal>): Promise<Findings['yours']> {
  const read = await readYours(layout, round)
  if (read === null) return null
  const trees = new Map(read.mapping.submissions.map(({ participant, tree }) => [participant, tree]))
  const isCurrent = (name: string): boolean => trees.has(name) && seals.get(name)?.tree === trees.get(name)
  const tasks = read.mapping.tasks.filter(({ labels }) => Object.values(labels).every(isCurrent))
  const pairs = tasks.flatMap((task) => {
    const answer = read.answers.get(task.id)
    return answer === undefined ? [] : [pairOf({ task, better: answer.better, why: answer.why })]
  })
  return { pairs, of: tasks.length }
}

/** Reads the answers of the judging that counts, if it judged this round. Reads only tasks in the state `scored`. */
async function readJudging(
  { layout, config, brief, judgeBrief }: Contest,
  status: ContestStatus,
  seals: ReadonlyMap<string, Seal>,
): Promise<
  Pick<Findings, 'answers' | 'citations' | 'controls' | 'identity' | 'judging' | 'orders' | 'ordersToJudges' | 'pairs' | 'withOrders'>
> {
  const answers: RubricAnswer[] = []
  const controls: Control[] = []
  const verdicts: Verdict[] = []
  const citations = new Map<string, readonly FoundCitation[]>()
  const cite = (judge: string, more: readonly FoundCitation[]): void =>
    void citations.set(judge, [...(citations.get(judge) ?? []), ...more])
  const read = async (judging: number): Promise<Mapping | null> => {
    const mapping = await readMapping(layout.mapping(judging))
    const same = mapping?.round === status.round && mapping.submissions.every((each) => seals.get(each.participant)?.tree === each.tree)
    return same ? mapping : null
  }
  const counted = await countedJudging(status, read)
  const none = { number: status.judging, tasks: status.tasks, unfinished: null }
  const words = identityWords(config, [brief, judgeBrief], findAdapter)
  if (counted === null) {
    const unread = { identity: { words, record: null }, ordersToJudges: null, withOrders: null }
    return { answers, citations, controls, orders: [], pairs: [], judging: none, ...unread }
  }
  const { judging, tasks, mapping } = counted
  const isAnswered = ({ judge, id }: Task): boolean =>
    config.judges.some(({ name }) => name === judge) &&
    tasks.some((each) => each.judge === judge && each.id === id && each.state === 'scored')
  // The order is that of contest.yaml, not the order in which labels were dealt.
  const answered = config.judges.flatMap(({ name }) => mapping.tasks.filter((task) => task.judge === name && isAnswered(task)))
  for (const task of answered) {
    const { judge } = task
    const files = layout.task(judging, judge, task.id)
    const isOf = (file: { readonly judge: string; readonly judging: number; readonly task: string }): boolean =>
      file.judge === judge && file.judging === judging && file.task === task.id
    if (task.mode === 'pairwise') {
      const file = parseStored(files.verdict, await readFile(files.verdict, 'utf8'), verdictFileSchema)
      if (!isOf(file)) continue
      verdicts.push({ task, better: file.better, why: file.why })
      if (!task.control) cite(judge, file.citations)
      continue
    }
    const scores = parseStored(files.scores, await readFile(files.scores, 'utf8'), scoresFileSchema)
    if (!isOf(scores)) continue
    const { labels, order, altered } = task
    if (task.control) {
      controls.push({ kind: 'rubric', judge, labels, altered, scores })
      continue
    }
    const read = await readRegular(files.review, maxAnswerBytes)
    const review = read.ok ? bounded(read.bytes.toString('utf8'), path.relative(layout.root, files.review)) : null
    answers.push({ judge, labels, order, scores, review, citations: scores.citations })
    cite(judge, scores.citations)
  }
  const complete = judging === status.judging && isComplete(tasks)
  const ordersToJudges = await readOrders(layout.ordersToJudges(judging))
  const isRedacted = mapping.orders === 'redact' && Object.values(ordersToJudges?.submissions ?? {}).some(({ found }) => found.length > 0)
  return {
    answers,
    controls: [...controls, ...controlPairs(verdicts)],
    citations,
    identity: { words, record: await readIdentity(layout.identity(judging)) },
    ordersToJudges,
    withOrders: isRedacted ? await answersWithOrders(layout, mapping) : null,
    orders: answered.filter(({ control }) => !control).map(orderOf),
    pairs: verdicts.filter(({ task }) => !task.control).map(pairOf),
    judging: { number: judging, tasks, unfinished: complete ? null : status.judging },
  }
}

function orderOf({ judge, id, order, labels }: Task): Summary['orders'][number] {
  return { judge, task: id, seen: order.map((label) => ({ label, participant: labels[label] ?? '' })) }
}

/** Returns the controls that were answered in both orders. */
function controlPairs(verdicts: readonly Verdict[]): Control[] {
  const pairs = Map.groupBy(
    verdicts.filter(({ task }) => task.control),
    ({ task }) => JSON.stringify([task.judge, task.id.replace(/-[12]$/, '')]),
  )
  return [...pairs.values()].flatMap((both): Control[] => {
    const seen = both.flatMap(({ task, better }) => {
      const [label, altered] = Object.entries(task.altered)[0] ?? []
      if (label === undefined || altered === undefined) return []
      return [{ altered, judge: task.judge, isFirst: task.order[0] === label, won: better === 'tie' ? 0.5 : Number(better === label) }]
    })
    const [first, second] = [seen.find(({ isFirst }) => isFirst), seen.find(({ isFirst }) => !isFirst)]
    if (first === undefined || second === undefined) return []
    return [{ kind: 'pair', judge: first.judge, altered: first.altered, orders: { shownFirst: first.won, shownSecond: second.won } }]
  })
}

/** Returns at most `maxReviewLength` characters of a review, followed by the path of the full review if it was cut. */
function bounded(review: string, file: string): string {
  if (review.length <= maxReviewLength) return review
  return `${review.slice(0, maxReviewLength)}…\n(${review.length - maxReviewLength} more characters are in ${file})`
}

import { readRegular } from '../../files/read-regular.ts'
import { storedOrNull } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'
import { scoresFileSchema, verdictFileSchema } from '../judging/answer-files.ts'
import { type Mapping, readMapping, type Task } from '../judging/mapping.ts'
import { maxAnswerBytes } from '../judging/scores.ts'
import type { Pair } from '../ranking/contest-summary.ts'
import type { EarlierAnswers, RubricAnswer } from '../ranking/findings.ts'

/** A judge's verdict on two submissions. */
export interface Verdict {
  readonly task: Task
  readonly better: string
  readonly why: string | null
}

export function pairOf({ task: { judge, labels, order }, better, why }: Verdict): Pair {
  const named = (label: string | undefined): string => labels[label ?? ''] ?? ''
  return { judge, first: named(order[0]), second: named(order[1]), better: better === 'tie' ? null : named(better), why, labels }
}

/** How many earlier judgings are looked at. */
const mostJudgings = 100

/**
 * Returns the answers in the newest earlier judging of the same submissions in which judges saw the lines that are emptied now; null if its
 * records are gone.
 */
export async function answersWithOrders(layout: Layout, now: Mapping): Promise<EarlierAnswers | null> {
  for (let judging = now.judging - 1; judging > Math.max(0, now.judging - 1 - mostJudgings); judging -= 1) {
    const mapping = await readMapping(layout.mapping(judging))
    if (mapping !== null && mapping.orders !== 'redact' && isSameWork(mapping, now))
      return { judging, ...(await answersIn(layout, mapping)) }
  }
  return null
}

/** Returns whether two judgings asked the same about the same submissions. */
function isSameWork(one: Mapping, other: Mapping): boolean {
  const key = ({ round, mode, identity, submissions }: Mapping): string =>
    JSON.stringify([round, mode, identity, submissions.map(({ participant, tree }) => [participant, tree]).toSorted()])
  return key(one) === key(other)
}

/** Returns the answers of the judges that answered everything, except controls. */
async function answersIn(layout: Layout, { judging, tasks }: Mapping): Promise<Pick<EarlierAnswers, 'answers' | 'pairs'>> {
  const answers: RubricAnswer[] = []
  const pairs: Pair[] = []
  const missing = new Set<string>()
  for (const task of tasks.filter(({ control }) => !control)) {
    const { judge, id, labels, order } = task
    const files = layout.task(judging, judge, id)
    const verdict = task.mode === 'pairwise' ? await answerIn(files.verdict, verdictFileSchema) : null
    const scores = task.mode === 'rubric' ? await answerIn(files.scores, scoresFileSchema) : null
    if (verdict !== null) pairs.push(pairOf({ task, better: verdict.better, why: verdict.why }))
    else if (scores !== null) answers.push({ judge, labels, order, scores, review: null, citations: [] })
    else missing.add(judge)
  }
  const isWhole = ({ judge }: { readonly judge: string }): boolean => !missing.has(judge)
  return { answers: answers.filter(isWhole), pairs: pairs.filter(isWhole) }
}

async function answerIn<Answer>(file: string, schema: { parse(value: unknown): Answer }): Promise<Answer | null> {
  const read = await readRegular(file, maxAnswerBytes)
  return storedOrNull(file, read.ok ? read.bytes : null, schema)
}

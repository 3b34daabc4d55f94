import { readRegular } from '../../../files/read-regular.ts'
import { storedOrNull } from '../../../files/stored-json.ts'
import type { Layout } from '../../config/contest-layout.ts'
import { you } from '../../config/you.ts'
import { type VerdictFile, verdictFileSchema } from '../answer-files.ts'
import { type Mapping, readMapping, type Task } from '../mapping.ts'
import { maxAnswerBytes } from '../scores.ts'

/** The pairs that you were asked about in a round, and your answers. */
export interface Yours {
  readonly mapping: Mapping
  /** Your answers, by task ID. */
  readonly answers: ReadonlyMap<string, VerdictFile>
}

/** Returns the pairs that you compare in a round; null if none were dealt, or if the file is not such a mapping. */
export async function readYourMapping(layout: Layout, round: number): Promise<Mapping | null> {
  const mapping = await readMapping(layout.yours(round).mapping)
  if (mapping?.round !== round) return null
  const names = mapping.submissions.map(({ participant }) => participant)
  const isPair = ({ judge, order, labels }: Task): boolean =>
    judge === you &&
    order.join() === 'A,B' &&
    Object.keys(labels).join() === 'A,B' &&
    Object.values(labels).every((each) => names.includes(each))
  return mapping.tasks.every(isPair) ? mapping : null
}

/** Returns your pairs and answers in a round; null if you judged nothing in it. */
export async function readYours(layout: Layout, round: number): Promise<Yours | null> {
  const files = layout.yours(round)
  const mapping = await readYourMapping(layout, round)
  if (mapping === null) return null
  const answers = new Map<string, VerdictFile>()
  for (const task of mapping.tasks) {
    const answer = await answerTo(task, files.verdict(task.id), round)
    if (answer !== null) answers.set(task.id, answer)
  }
  return { mapping, answers }
}

/** Returns the answer to a task; null if there is none. */
async function answerTo({ id, order }: Task, file: string, round: number): Promise<VerdictFile | null> {
  const read = await readRegular(file, maxAnswerBytes)
  if (!read.ok) return null
  const answer = storedOrNull(file, read.bytes, verdictFileSchema)
  const isOf = answer?.judge === you && answer.judging === round && answer.task === id
  return isOf && [...order, 'tie'].includes(answer.better) ? answer : null
}

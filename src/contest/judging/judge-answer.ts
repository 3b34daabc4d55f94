import path from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { CitationRules } from './citations.ts'
import { repeatedScores, repeatedVerdict } from './repeated-scores.ts'
import { maxAnswerBytes, parseScores, type ScoreRules, type Scores } from './scores.ts'
import { type PairVerdict, parseVerdict } from './verdicts.ts'

/**
 * A judge's answer to a task: scores by the rubric, or a verdict on two submissions. After a `problem` the judge is asked once more, but
 * not after `refused`.
 */
export type Answer =
  | { readonly kind: 'scores'; readonly scores: Scores }
  | { readonly kind: 'verdict'; readonly verdict: PairVerdict }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'refused'; readonly why: string }

/** The required parts of an answer: scores by the rubric, or a verdict on two labels. */
export type AnswerRules = (ScoreRules & { readonly mode: 'rubric' }) | (CitationRules & { readonly mode: 'pairwise' })

/**
 * Reads the files that a judge left in its outbox. Any program in the cell can write there, so the judge's last message, which arrives
 * separately, must repeat the answer. `lastMessage` is null for judges that produce only output and no messages.
 */
export function readAnswer(outbox: string, rules: AnswerRules, lastMessage: string | null): Promise<Answer> {
  return rules.mode === 'rubric' ? readScores(outbox, rules, lastMessage) : readVerdict(outbox, rules, lastMessage)
}

async function readScores(outbox: string, rules: ScoreRules, lastMessage: string | null): Promise<Answer> {
  const read = await readFrom(outbox, 'scores.json')
  if ('problem' in read) return { kind: 'problem', ...read }
  const parsed = parseScores(read.bytes, rules)
  if (!parsed.ok) return { kind: 'problem', problem: parsed.problem }
  const { scores } = parsed
  if (lastMessage === null) return { kind: 'scores', scores }
  const repeated = repeatedScores(lastMessage)
  if (repeated === null) return { kind: 'problem', problem: 'the last message does not repeat the scores of scores.json as JSON' }
  const difference = differenceOf(scores, repeated, rules)
  if (difference === null) return { kind: 'scores', scores }
  return { kind: 'refused', why: `its last message and its scores.json differ, so one of them may not be its own: ${difference}` }
}

async function readVerdict(outbox: string, rules: CitationRules, lastMessage: string | null): Promise<Answer> {
  const read = await readFrom(outbox, 'verdict.json')
  if ('problem' in read) return { kind: 'problem', ...read }
  const parsed = parseVerdict(read.bytes, rules)
  if (!parsed.ok) return { kind: 'problem', problem: parsed.problem }
  const { verdict } = parsed
  if (lastMessage === null) return { kind: 'verdict', verdict }
  const repeated = repeatedVerdict(lastMessage)
  if (repeated === null) return { kind: 'problem', problem: 'the last message does not repeat the verdict of verdict.json as JSON' }
  if (repeated === verdict.better) return { kind: 'verdict', verdict }
  const difference = `better is ${verdict.better} in the file and ${printableName(repeated.slice(0, 60))} in the message`
  return { kind: 'refused', why: `its last message and its verdict.json differ, so one of them may not be its own: ${difference}` }
}

async function readFrom(outbox: string, name: string): Promise<{ readonly bytes: Buffer } | { readonly problem: string }> {
  const read = await readRegular(path.join(outbox, name), maxAnswerBytes).catch((error: unknown) => ({
    ok: false as const,
    why: messageOf(error),
  }))
  if (read.ok) return { bytes: read.bytes }
  const place = `/contest/outbox/${name}`
  const problems: Readonly<Record<string, string>> = {
    missing: `there is no ${place}`,
    'not-a-file': `${place} is not a regular file`,
    'too-large': `${name} is larger than 1 MiB`,
  }
  return { problem: problems[read.why] ?? `${place} cannot be read` }
}

/** Returns the first difference, as text for people; null if there is none. The repeated scores must be a complete answer as well. */
function differenceOf({ scores }: Scores, repeated: unknown, rules: ScoreRules): string | null {
  const text = written({ scores: repeated })
  if (text === null) return 'the last message has them nested too deeply'
  const parsed = parseScores(Buffer.from(text), rules)
  if (!parsed.ok) return parsed.problem.replaceAll('scores.json', 'the last message')
  for (const label of rules.labels)
    for (const id of rules.dimensions) {
      const [inFile, inMessage] = [scores[label]?.[id], parsed.scores.scores[label]?.[id]]
      if (inFile !== inMessage) return `${label}.${id} is ${inFile} in the file and ${inMessage} in the message`
    }
  return null
}

/** Returns a value as JSON; null if the value is nested too deeply. */
function written(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

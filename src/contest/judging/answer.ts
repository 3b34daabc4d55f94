import path from 'node:path'
import { messageOf } from '../../errors.ts'
import { readRegular } from '../../files/read-regular.ts'
import { repeatedScores } from './repeated-scores.ts'
import { maxAnswerBytes, parseScores, type ScoreRules, type Scores } from './scores.ts'

/** A judge's answer to a task, by its kind: scores so far. A `problem` may be asked about once more; an answer that is `refused` is not asked for again. */
export type Answer =
  | { readonly kind: 'scores'; readonly scores: Scores }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Reads what a judge left in its outbox. Any program in its cell can write there, so the scores must also be in the judge's last message,
 * which comes another way; null for judges that have no messages, only output.
 */
export async function readAnswer(outbox: string, rules: ScoreRules, lastMessage: string | null): Promise<Answer> {
  const read = await readRegular(path.join(outbox, 'scores.json'), maxAnswerBytes).catch((error: unknown) => ({
    ok: false as const,
    why: messageOf(error),
  }))
  if (!read.ok) return { kind: 'problem', problem: problems[read.why] ?? '/contest/outbox/scores.json cannot be read' }
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

const problems: Readonly<Record<string, string>> = {
  missing: 'there is no /contest/outbox/scores.json',
  'not-a-file': '/contest/outbox/scores.json is not a regular file',
  'too-large': 'scores.json is larger than 1 MiB',
}

/** The first difference, for people; null: there is none. What is repeated must be a whole answer, too. */
function differenceOf({ scores }: Scores, repeated: unknown, rules: ScoreRules): string | null {
  const parsed = parseScores(Buffer.from(JSON.stringify({ scores: repeated })), rules)
  if (!parsed.ok) return parsed.problem.replaceAll('scores.json', 'the last message')
  for (const label of rules.labels)
    for (const id of rules.dimensions) {
      const [inFile, inMessage] = [scores[label]?.[id], parsed.scores.scores[label]?.[id]]
      if (inFile !== inMessage) return `${label}.${id} is ${inFile} in the file and ${inMessage} in the message`
    }
  return null
}

import type { Conversation, Script, Step } from '../support/model-servers/script.ts'
import { realAgents } from './agents.ts'
import { handIn, opinionOf } from './solutions.ts'

/** A local model that takes part in examples/three-clis, and judges it. */
export interface ContestModel {
  readonly script: Script
  /** Returns the maximum number of participants that waited for their first answer at the same time. */
  readonly together: () => number
  /** The submissions as the judges read them. */
  readonly read: readonly string[]
}

const patienceMs = 60_000
const readAll = `cd /contest/submissions; for l in *; do printf '\\n<<%s>>\\n' "$l"; head -c 4000 "$l/semsort"; done; printf '\\n<<end>>\\n'; ls -RA /contest`

/** @param participants how many must wait before the first one is answered, which requires that they run in parallel */
export function contestModel(participants: number): ContestModel {
  const arrived = Promise.withResolvers<void>()
  const read: string[] = []
  let waiting = 0
  let most = 0

  const participate = async (conversation: Conversation, agent: string): Promise<Step> => {
    if (conversation.toolResults.length > 0) return { say: 'It is handed in.' }
    waiting += 1
    most = Math.max(most, waiting)
    if (waiting >= participants) arrived.resolve()
    await Promise.race([arrived.promise, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
    waiting -= 1
    return { run: handIn(agent) }
  }

  const judge = ({ toolResults }: Conversation): Step => {
    const [seen] = toolResults
    if (seen === undefined) return { run: readAll }
    const parts = seen.split(/<<([A-Z]+|end)>>/)
    const scores: Record<string, Readonly<Record<string, number>>> = {}
    for (let index = 1; index + 1 < parts.length; index += 2) {
      const label = parts[index] ?? ''
      if (label !== 'end') scores[label] = opinionOf(parts[index + 1] ?? '')
    }
    const repeated = `The scores are written:\n\n\`\`\`json\n${JSON.stringify({ scores }, null, 2)}\n\`\`\``
    if (toolResults.length > 1) return { say: repeated }
    read.push(seen)
    return { run: `cat > /contest/outbox/scores.json <<'THE_END'\n${JSON.stringify({ scores, comment: 'Read, not run.' })}\nTHE_END` }
  }

  const script: Script = (conversation) => {
    const { model, tools, userTexts } = conversation
    if (tools.length === 0) return { say: 'Nothing to add.' }
    if (userTexts.some((each) => each.includes('You are a judge in a contest.'))) return judge(conversation)
    const agent = realAgents.find((each) => each.asked === model)
    return agent === undefined ? { say: `I do not know ${model}.` } : participate(conversation, agent.name)
  }
  return { script, together: () => most, read }
}

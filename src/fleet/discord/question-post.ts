import { block, code, cut, longestMessage, shown } from './discord-markdown.ts'

/** A question of a job to a human. */
export interface AgentQuestion {
  readonly id: string
  readonly kind: 'ask' | 'tool' | 'egress'
  readonly job: string
  /** The question, or the action to allow. In a cell, the agent chooses this text. */
  readonly text: string
}

const heads = { ask: 'asks', tool: 'wants to call a tool', egress: 'wants to reach something' } as const

/** Returns the post for a question. */
export function questionPost(question: AgentQuestion, agent: string): string {
  const { head, whole, end, room } = partsOf(question, agent)
  if (whole.length <= room) return `${head}\n${whole}\n${end}`
  const part = block(cut(shown(question.text), Math.floor(room / 2)))
  const rest =
    question.kind === 'ask'
      ? 'This is only its beginning. See all of it before you answer'
      : 'This is only its beginning, so you can only `deny` it here. See all of it before you allow it there'
  return `${head}\n${part}\n${rest}: in the inbox of the web page, or \`paddock inbox\``
}

/** Returns whether the post for a question shows all of its text. An action that is shown in part must not be allowed from the channel. */
export function isShownWhole(question: AgentQuestion, agent: string): boolean {
  const { whole, room } = partsOf(question, agent)
  return whole.length <= room
}

function partsOf({ id, kind, job, text }: AgentQuestion, agent: string) {
  const head = `${code(agent)} ${heads[kind]} (job ${code(job)}):`
  const reply = kind === 'ask' ? 'Reply to this message with your answer.' : 'Reply to this message with `allow` or `deny`.'
  const end = `${reply} Or: \`@me answer ${id} ${kind === 'ask' ? 'TEXT' : 'allow'}\``
  return { head, whole: block(shown(text)), end, room: longestMessage - head.length - end.length - 200 }
}

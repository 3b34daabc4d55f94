import { block, code, cut, longestMessage, shown } from './markdown.ts'

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
export function questionPost({ id, kind, job, text }: AgentQuestion, agent: string): string {
  const head = `${code(agent)} ${heads[kind]} (job ${code(job)}):`
  const end = kind === 'ask' ? 'Reply to this message with your answer.' : 'Reply to this message with `allow` or `deny`.'
  const rest = `Or: \`@me answer ${id} ${kind === 'ask' ? 'TEXT' : 'allow'}\``
  const room = longestMessage - head.length - end.length - rest.length - 200
  const whole = block(shown(text))
  // An action whose text is not shown in full must not be allowed from here.
  if (whole.length <= room) return `${head}\n${whole}\n${end} ${rest}`
  const part = block(cut(shown(text), Math.floor(room / 2)))
  return `${head}\n${part}\nThis is only its beginning. See all of it before you answer: \`paddock inbox\``
}

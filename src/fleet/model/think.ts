import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type ModelMessage, stepCountIs, ToolLoopAgent, type ToolSet } from 'ai'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { messageOf } from '../../base/errors.ts'
import { Unanswered } from './answering-model.ts'
import { refusalOf, withRefusals } from './refused-calls.ts'

/** The most answers of the model in one job. A budget of turns is usually lower. */
const mostSteps = 200

export interface Thinking {
  readonly model: LanguageModelV4
  readonly instructions: string | undefined
  readonly tools: ToolSet
  /** The conversation, with the prompt as its last message. */
  readonly messages: readonly ModelMessage[]
  readonly signal: AbortSignal
  /** Called with texts and tool calls, in order. */
  readonly event: (event: AgentEvent) => Promise<void>
  /** Returns the text of the newest answer. */
  readonly said: () => string
  /** Called after each answer with all messages that the run has added to the conversation. */
  readonly added: (messages: readonly ModelMessage[]) => Promise<void>
}

/** Lets a model work with its tools until it is done. A failure becomes an event; rejects only if the signal is aborted. */
export async function think({ model, instructions, tools, messages, signal, event, said, added }: Thinking): Promise<void> {
  const more: ModelMessage[] = []
  const agent = new ToolLoopAgent({
    model,
    ...(instructions === undefined ? {} : { instructions: { role: 'system', content: instructions, providerOptions: cached } }),
    tools,
    // Tools share one workspace.
    toolCallConcurrency: 1,
    stopWhen: stepCountIs(mostSteps),
    // Fallbacks are tried immediately; after a rate limit, the job waits without a cell.
    maxRetries: 0,
    prepareStep: () => ({ messages: withCachePoint([...messages, ...more]) }),
    providerOptions: { openai: { store: false } },
  })
  let [failure, steps, isDone]: [unknown, number, boolean] = [null, 0, false]
  const result = await agent.stream({
    prompt: [...messages],
    abortSignal: signal,
    onStepEnd: async ({ content, response }) => {
      more.push(...withRefusals(response.messages, content))
      await added(more)
    },
  })
  const refused = new Map<string, string | null>()
  for await (const part of result.fullStream) {
    // Calls are reported when the answer that contains them is complete.
    if (part.type === 'tool-result') await event({ type: 'tool-result', id: part.toolCallId, ok: true, text: String(part.output) })
    else if (part.type === 'tool-call') refused.set(part.toolCallId, refusalOf(part))
    else if (part.type === 'tool-error') {
      await event({ type: 'tool-result', id: part.toolCallId, ok: false, text: refused.get(part.toolCallId) ?? messageOf(part.error) })
    } else if (part.type === 'finish-step') {
      steps++
      isDone = part.finishReason !== 'tool-calls'
    } else if (part.type === 'error') failure = part.error
  }
  signal.throwIfAborted()
  if (failure !== null) await event(troubleOf(failure))
  else if (!isDone && steps >= mostSteps) await event({ type: 'error', message: `it was not finished after ${mostSteps} answers` })
  await event({ type: 'result', ok: failure === null && isDone, text: said() })
}

function troubleOf(failure: unknown): AgentEvent {
  const message = messageOf(failure)
  const why = failure instanceof Error && failure.cause instanceof Unanswered ? failure.cause : failure
  if (!(why instanceof Unanswered)) return { type: 'error', message, endpoint: true }
  if (why.kind === 'rate-limited') return { type: 'rate-limit', message, resetsAt: why.resetsAt, final: true }
  if (why.kind === 'login-needed') return { type: 'login-needed', message }
  return { type: 'error', message, endpoint: true }
}

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** Marks the conversation up to here for the vendor's cache. */
function withCachePoint(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((each, index) =>
    index === messages.length - 1 ? { ...each, providerOptions: { ...each.providerOptions, ...cached } } : each,
  )
}

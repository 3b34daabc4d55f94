import { TypeValidationError } from '@ai-sdk/provider'
import { InvalidToolInputError, type ModelMessage, NoSuchToolError } from 'ai'
import * as z from 'zod'
import { inputTrouble, notCalled } from './input-trouble.ts'
import { headAndTail } from './runner/runner-output.ts'
import { toolName } from './tool-name.ts'

/** The longest arguments of a refused call that are repeated, and the longest text in longer ones, in characters. */
const [mostRepeated, mostText] = [2_048, 256]

/** A tool call of a model, as the library reports it. */
interface Call {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly invalid?: boolean | undefined
  readonly error?: unknown
}

/** Returns why a call was refused before its tool was called, as a sentence for the model; null for other calls and parts. */
export function refusalOf({ type, toolName: name = '', input, invalid, error }: Call): string | null {
  if (type !== 'tool-call' || invalid !== true) return null
  if (NoSuchToolError.isInstance(error)) {
    const tools = error.availableTools ?? []
    const known = tools.length === 0 ? 'You have no tools.' : `Tools: ${tools.join(', ')}.`
    return headAndTail(`There is no tool ${name.slice(0, 64)}. ${known}`)
  }
  const why = InvalidToolInputError.isInstance(error) ? error.cause : null
  if (TypeValidationError.isInstance(why) && why.cause instanceof z.core.$ZodError) return inputTrouble(name, input, why.cause)
  // The library refuses keys that could change a prototype.
  const isJson = InvalidToolInputError.isInstance(error) && parses(error.toolInput)
  return notCalled(
    name,
    isJson ? 'the keys __proto__ and constructor are not allowed in its arguments' : 'its arguments are not valid JSON',
  )
}

/**
 * Returns the messages of one answer as the model gets them again: a refused call with short arguments and a name that providers accept,
 * and why it was refused. Each provider demands that a call is repeated with its result and with a JSON object as arguments.
 */
export function withRefusals(messages: readonly ModelMessage[], calls: readonly Call[]): readonly ModelMessage[] {
  const refused = new Map<string, string>()
  for (const call of calls) {
    const why = refusalOf(call)
    if (why !== null) refused.set(call.toolCallId ?? '', why)
  }
  return messages.map((message): ModelMessage => {
    if (message.role === 'assistant' && typeof message.content !== 'string') {
      const content = message.content.map((part) =>
        part.type === 'tool-call' && refused.has(part.toolCallId)
          ? { ...part, toolName: toolName(part.toolName), input: shortInput(part.input) }
          : part,
      )
      return { ...message, content }
    }
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      const why = part.type === 'tool-result' ? refused.get(part.toolCallId) : undefined
      return part.type !== 'tool-result' || why === undefined
        ? part
        : { ...part, toolName: toolName(part.toolName), output: { type: 'error-text' as const, value: why } }
    })
    return { ...message, content }
  })
}

/** Returns an input as a JSON object of limited size: its long texts are cut, and if that is not enough, it is empty. */
function shortInput(input: unknown): object {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {}
  if (JSON.stringify(input).length <= mostRepeated) return input
  const short = Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const left = text.length - mostText
      return [key, left <= 0 ? value : `${text.slice(0, mostText).toWellFormed()}[… ${left} characters left out …]`]
    }),
  )
  return JSON.stringify(short).length <= mostRepeated ? short : {}
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

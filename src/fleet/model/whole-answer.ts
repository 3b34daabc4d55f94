import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  TypeValidationError,
} from '@ai-sdk/provider'
import { BadAnswer } from './bounded-fetch.ts'

/** The most tool calls in one answer, and the longest input of one call, in characters. */
const [mostCalls, mostInput] = [64, 1024 * 1024]

/** The fault of an answer that a provider's library cannot read. */
export const otherForm = 'its answer does not have the form of this provider'
const anError = 'it ended its answer with an error'

/** Returns all parts of an answer. @throws BadAnswer, or an error of the library, if the answer is not complete */
export async function wholeAnswer(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream, response } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  let [calls, isFinished, isCut] = [0, false, false]
  for await (const part of stream) {
    switch (part.type) {
      case 'error':
        if (!isEarlyEnd(part.error)) throw faultOf(part.error)
        isCut = true
        continue
      case 'tool-call':
        // Only tools of the cell are called.
        if (part.providerExecuted === true) continue
        if (++calls > mostCalls) throw new BadAnswer(`it asked for more than ${mostCalls} tools at once`)
        if (part.input.length > mostInput) throw new BadAnswer(`it called ${part.toolName.slice(0, 64)} with more than 1 MiB`)
        break
      case 'finish':
        if (part.finishReason.unified === 'error' && !isCut) throw new BadAnswer(anError)
        isFinished = !isCut && part.finishReason.unified !== 'interrupted'
        break
      case 'stream-start':
      case 'response-metadata':
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        break
      default:
        continue
    }
    parts.push(part)
  }
  if (!isFinished) throw new BadAnswer(endOf(parts, response?.headers?.['content-type']))
  return parts
}

function faultOf(error: unknown): Error {
  if (APICallError.isInstance(error)) return error
  if (JSONParseError.isInstance(error)) return new BadAnswer('an event of its answer is not JSON')
  return new BadAnswer(TypeValidationError.isInstance(error) || InvalidResponseDataError.isInstance(error) ? otherForm : anError)
}

/** Returns whether an error, which has no data, is about the end of the stream. */
function isEarlyEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined
}

/** Returns the fault of an answer that ended too early. */
function endOf(parts: readonly LanguageModelV4StreamPart[], type: string | undefined): string {
  if (parts.some((part) => part.type.endsWith('-delta') || part.type === 'tool-call')) return 'its answer was cut off'
  if (parts.some((part) => part.type === 'response-metadata')) return 'its event stream ended without an answer'
  const kind = type?.split(';')[0]?.trim().toLowerCase() ?? ''
  return kind === 'text/event-stream'
    ? 'its event stream contains no events'
    : `it sent ${kinds[kind] ?? 'something other than'} an event stream`
}

/** What an endpoint sends by content type. Other types are not shown, because they may contain any text. */
const kinds: Readonly<Record<string, string>> = {
  'text/html': 'an HTML page instead of',
  'application/json': 'JSON instead of',
  'text/plain': 'plain text instead of',
}

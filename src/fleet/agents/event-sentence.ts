import { printable } from '../../base/text.ts'
import { mainArgument } from '../../base/tool-call.ts'
import { isForPeople } from '../../base/unknown-line.ts'
import type { UnnumberedEvent } from '../jobs/transcript-reader.ts'

const longest = 160

/** Returns an event as one short line for lists; null if the event is not about the work. */
export function eventSentence(event: UnnumberedEvent): string | null {
  const text = (key: string): string => (typeof event[key] === 'string' ? event[key] : '')
  switch (event.type) {
    case 'text':
    case 'result':
      return line(text('text'))
    case 'tool-call':
      return line([text('name'), mainArgument(event['input'])].filter((each) => each !== '').join(': '))
    case 'tool-result':
      return event['ok'] === true ? 'A tool call returned' : 'A tool call failed'
    case 'rate-limit':
    case 'login-needed':
    case 'error':
      return line(text('message'))
    case 'unknown':
      return isForPeople(text('line')) ? line(text('line')) : null
    default:
      return null
  }
}

function line(text: string): string | null {
  const found = text
    .slice(0, 4 * longest)
    .split('\n')
    .find((each) => each.trim() !== '')
  if (found === undefined) return null
  const shown = printable(found.trim())
  return shown.length > longest ? `${shown.slice(0, longest - 1)}…` : shown
}

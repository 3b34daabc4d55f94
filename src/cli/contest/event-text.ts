import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { formatDuration } from '../../base/quantities.ts'
import { isForPeople } from '../../base/unknown-line.ts'
import type { ContestEvent } from '../../contest/state/progress.ts'

/** Returns an event of a contest as one line; null for events that people need not see. Text from agents is not yet made printable. */
export function eventText(each: ContestEvent): string | null {
  switch (each.type) {
    case 'warning':
      return `warning: ${each.message}`
    case 'step':
      return each.open > 0 ? `${each.step}: ${each.open} of ${each.total} to do` : null
    case 'started':
      return each.task === undefined ? `${each.name} started${each.attempt > 1 ? ` (attempt ${each.attempt})` : ''}` : null
    case 'ended':
      // A separate event counts its answers.
      if (each.task !== undefined && each.outcome.kind === 'ran') return null
      return `${each.name} ended after ${formatDuration(each.durationMs)}${each.outcome.kind === 'ran' ? '' : `: ${each.outcome.kind}`}${each.outcome.message === null ? '' : `, ${each.outcome.message}`}`
    case 'sealed':
      return `${each.name} sealed: ${each.files} ${each.files === 1 ? 'file' : 'files'}${each.dropped > 0 ? `, ${each.dropped} left out` : ''}${each.outcome.kind === 'delivered' ? '' : `, ${each.outcome.kind}`}`
    case 'carried':
      return `${each.name} keeps its work of round ${each.round}`
    case 'checked':
      return `${each.name} check ${each.check}: ${each.result.replaceAll('-', ' ')}${each.why === null ? '' : ` (${each.why})`}`
    case 'waits':
      return `${each.name} waits for its limit to end at ${new Date(each.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    case 'repair':
      return `judge ${each.name} is asked again: ${each.problem}`
    case 'scored':
      return `judge ${each.name} ${each.task === undefined ? 'scored' : `answered: ${each.task.answered} of ${each.task.of}`}`
    case 'reviewed':
      return `reviewer ${each.name} ${each.why === null ? 'wrote a review' : `wrote no review: ${each.why}`}`
    case 'judge-failed':
      return `judge ${each.name} failed: ${each.message}`
    default:
      return null
  }
}

const longest = 400

/** Returns a message or action of an agent as one line; null for usage counts and the like. The text is not yet made printable. */
export function agentText(each: AgentEvent): string | null {
  const short = (text: string): string => {
    const line = text.trim().replace(/\s+/g, ' ')
    return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
  }
  switch (each.type) {
    case 'text':
      return short(each.text)
    case 'tool-call':
      return short(`uses ${each.name} ${JSON.stringify(each.input) ?? ''}`)
    case 'tool-result':
      return short(each.ok ? `→ ${each.text}` : `→ failed${each.text.trim() === '' ? '' : `: ${each.text}`}`)
    case 'result':
      // The text of a good result repeats the last message.
      return each.ok ? 'done' : short(each.text.trim() === '' ? 'failed' : `failed: ${each.text}`)
    case 'error':
    case 'login-needed':
    case 'rate-limit':
      return short(`${each.type}: ${each.message}`)
    case 'unknown':
      return isForPeople(each.line) ? short(each.line) : null
    default:
      return null
  }
}

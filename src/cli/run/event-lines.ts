import type { AgentEvent, TokenUsage } from '../../adapters/output/agent-events.ts'
import { formatMoment } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import { isForPeople } from '../../base/unknown-line.ts'

const mostOfOneLine = 160

/** Returns an event of an agent as printable lines for people: its text in full, each tool call in one line. */
export function eventLines(event: AgentEvent, now: number): readonly string[] {
  switch (event.type) {
    case 'text':
      return event.text.trim().split('\n').map(printable)
    case 'tool-call':
      return [short(`· ${event.name} ${inputText(event.input)}`)]
    case 'tool-result':
      return event.ok ? [] : [short(`  failed: ${event.text.trim().split('\n')[0] ?? ''}`)]
    case 'rate-limit':
      return [short(`· waits for a rate limit${event.resetsAt === null ? '' : ` until ${formatMoment(event.resetsAt, now)}`}`)]
    case 'error':
      return [short(`· error: ${event.message}`)]
    case 'unknown':
      return isForPeople(event.line) ? [printable(event.line)] : []
    default:
      return []
  }
}

/** Returns the usage of a run, such as `12,345 tokens in (10,000 cached), 1,200 out, $0.04`; null if the agent reported none. */
export function usageText(usage: TokenUsage | null, costUsd: number | null): string | null {
  const count = (value: number): string => value.toLocaleString('en-US')
  const tokens =
    usage === null
      ? []
      : [
          `${count(usage.input)} tokens in${usage.cachedInput === 0 ? '' : ` (${count(usage.cachedInput)} cached)`}, ${count(usage.output)} out`,
        ]
  const cost = costUsd === null ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`]
  return tokens.length + cost.length === 0 ? null : [...tokens, ...cost].join(', ')
}

/** Returns the most informative part of a tool's input: its command, file or pattern, or else the whole input. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  for (const key of ['command', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description']) {
    const value = (input as Record<string, unknown>)[key]
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return value.join(' ')
  }
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input)
}

function short(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ').trimEnd())
  return line.length > mostOfOneLine ? `${line.slice(0, mostOfOneLine - 1)}…` : line
}

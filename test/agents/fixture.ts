import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentEvent } from '../../src/adapters/output/agent-events.ts'
import { noSummary, type RunSummary, withEvent } from '../../src/adapters/output/run-summary.ts'
import { newParser } from '../support/parsers.ts'

const directory = path.join(import.meta.dirname, 'fixtures')

/** The recorded output of a real CLI (see record.ts). */
export interface Recording {
  readonly agent: string
  readonly lines: readonly string[]
  readonly exit: { readonly code: number | null; readonly stderr: string }
}

export function recording(name: string): Recording {
  const stdout = readFileSync(path.join(directory, `${name}.jsonl`), 'utf8')
  const exit = JSON.parse(readFileSync(path.join(directory, `${name}.exit.json`), 'utf8')) as Recording['exit']
  return { agent: name.split('-')[0] ?? '', lines: stdout.split('\n').filter((line) => line !== ''), exit }
}

export const recordingNames: readonly string[] = readdirSync(directory)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace(/\.jsonl$/, ''))

export function eventsOf({ agent, lines, exit }: Recording): readonly AgentEvent[] {
  const parser = newParser(agent)
  return [...lines.flatMap((line) => parser.line(line)), ...parser.end(exit)]
}

export function summaryOf(one: Recording): RunSummary {
  return eventsOf(one).reduce(withEvent, noSummary)
}

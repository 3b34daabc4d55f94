import type { Readable } from 'node:stream'
import type { AgentAdapter } from '../adapters/adapter.ts'
import { command } from '../adapters/command/adapter.ts'
import { transcript } from '../adapters/output/parse-transcript.ts'
import { noSummary, withEvent } from '../adapters/output/run-summary.ts'
import type { Cell } from '../cell/cell.ts'
import type { CellReport } from '../cell/report.ts'
import { lines } from './proof.ts'
import type { WordWatch } from './secret-words.ts'

/** An agent's own account of its run. */
export interface AgentWords {
  /** Attempts that the agent lists in its proof file. */
  readonly tried: readonly string[]
  /** The end of the agent's last answer, or of the output of a command. */
  readonly last: readonly string[]
  /** True if the agent reported success; null if it did not report. */
  readonly ok: boolean | null
  readonly toolCalls: number
  /** Reasons why the agent could not work: a login, a limit, its own errors. */
  readonly trouble: readonly string[]
}

const kept = 64 * 1024

/** Reads the output of a cell to its end, searches it for secret texts, and returns the agent's own account of the run. */
export async function hearAgent(
  cell: Cell,
  agent: AgentAdapter | null,
  watch: WordWatch,
): Promise<{ readonly words: AgentWords; readonly report: CellReport }> {
  const stderr = tail(cell.stderr, watch.at('its standard error'))
  const ended = Promise.all([cell.done, stderr]).then(([{ ending }, text]) => ({
    code: ending.kind === 'exited' ? ending.code : null,
    stderr: text,
  }))
  const heard = passing(cell.stdout, watch.at('its standard output'))
  let summary = noSummary
  for await (const event of transcript(heard, await (agent ?? command).parser(), ended)) summary = withEvent(summary, event)
  const { code, stderr: errors } = await ended
  const trouble = [summary.loginNeeded, summary.rateLimit?.final ? summary.rateLimit.message : null, ...summary.errors]
  return {
    words: {
      tried: [],
      last: lines([(summary.resultText === '' && code !== 0 ? errors : summary.resultText).slice(-6000)]).slice(-20),
      ok: summary.ok,
      toolCalls: summary.toolCalls,
      trouble: lines(trouble.filter((each) => each !== null)).slice(-5),
    },
    report: await cell.done,
  }
}

async function* passing(stream: Readable, heard: (chunk: Uint8Array) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    heard(chunk as Buffer)
    yield chunk as Buffer
  }
}

async function tail(stream: Readable, heard: (chunk: Uint8Array) => void): Promise<string> {
  let text: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of passing(stream, heard)) {
      text = Buffer.concat([text, chunk])
      if (text.length > 2 * kept) text = text.subarray(-kept)
    }
  } catch {
    // An error of the stream ends the output.
  }
  return text.toString('utf8')
}

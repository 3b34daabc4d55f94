import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import type { Cell } from '../../cell/cell.ts'
import { type HeadlessEnd, headless } from '../../run/headless.ts'
import type { OutputGate } from '../terminal/output-gate.ts'
import { shareTerminal } from '../terminal/terminal-output.ts'
import { endOnSignals } from './end-on-signals.ts'
import { eventLines } from './event-lines.ts'

/** Number of bytes at the end of standard error that are kept to find the cause of a failure. */
const tailBytes = 64 * 1024

export interface HeadlessOptions {
  readonly out: NodeJS.WriteStream
  readonly readable: boolean
  /** Keeps an event; null: events are not kept. */
  readonly keep: ((event: AgentEvent) => Promise<void>) | null
}

/**
 * Follows an agent that has a prompt and no terminal. `readable`: true to print its events as lines for people, false for its raw output. A
 * reader that goes away (`| head`) ends the output, which is not an error.
 */
export async function attachHeadless(
  cell: Cell,
  adapter: AgentAdapter,
  gate: OutputGate,
  { out, readable, keep }: HeadlessOptions,
): Promise<HeadlessEnd> {
  shareTerminal()
  const unlisten = endOnSignals(cell)
  const shown = new PassThrough()
  const errors = new PassThrough()
  const outputs = [gate.pass(shown, out), gate.pass(errors, process.stderr)]
  let tail = Buffer.alloc(0)
  let bytes = 0
  try {
    return await headless(
      cell,
      adapter,
      {
        async *stdout(chunks) {
          for await (const chunk of chunksOf(chunks)) {
            if (!readable && !(await write(shown, chunk))) return
            yield chunk
          }
        },
        stderr: {
          async drain(chunks) {
            for await (const chunk of chunksOf(chunks)) {
              bytes += chunk.length
              tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes)
              if (!(await write(errors, chunk))) return
            }
          },
          tail: (since = 0) => tail.subarray(Math.max(0, tail.length - Math.max(0, bytes - since))).toString('utf8'),
          get bytes() {
            return bytes
          },
        },
      },
      async (event: AgentEvent) => {
        await keep?.(event)
        if (readable) for (const line of eventLines(event, Date.now())) await write(shown, Buffer.from(`${line}\n`))
      },
    )
  } finally {
    shown.end()
    errors.end()
    await Promise.all(outputs)
    unlisten()
  }
}

/** Yields the chunks of a stream. An error of the stream ends the iteration without throwing. */
async function* chunksOf(chunks: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) yield chunk as Buffer
  } catch {
    // The cell was ended.
  }
}

/** Writes a chunk and waits until the stream accepts more. Returns false if the stream is destroyed. */
async function write(to: PassThrough, chunk: Buffer): Promise<boolean> {
  if (to.destroyed) return false
  if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
  return !to.destroyed
}

import * as z from 'zod'
import { messageOf } from '../../base/errors.ts'
import type { Cell } from '../../cell/cell.ts'
import { Lines } from '../../files/lines.ts'
import type { McpServer, RemoteTool, ToRunner } from './runner/runner-protocol.ts'

/** The longest line of a runner in bytes, and the longest answer in characters. */
const [mostLine, mostText] = [1024 * 1024, 64 * 1024]
/** The grace period after the timeout of a call, and the time to start a runner with its MCP servers, in milliseconds. */
const [graceMs, startMs] = [15_000, 60_000]

/** The frames of a runner. The agent can reach the runner's output, so it may have written any part of these lines. */
const fromRunner = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    tools: z
      .array(
        z.object({
          server: z.string().max(32),
          name: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
          description: z.string().max(2_000),
          schema: z.looseObject({ type: z.literal('object') }),
        }),
      )
      .max(1_024),
    problems: z.array(z.string().max(1_000)).max(64),
  }),
  z.object({ type: z.literal('done'), id: z.string().max(64), ok: z.boolean(), text: z.string() }),
])

/** The answer to a tool call. */
export interface ToolAnswer {
  readonly ok: boolean
  readonly text: string
}

/** The runner of one cell. */
export interface Runner {
  /** The tools of the runner's MCP servers, and why some servers have none. Rejects if the runner did not start. */
  readonly ready: Promise<{ readonly tools: readonly RemoteTool[]; readonly problems: readonly string[] }>
  /** Calls a tool. Rejects only if the call is cancelled or the runner is lost. */
  call(tool: string, input: unknown, timeoutMs: number, signal: AbortSignal): Promise<ToolAnswer>
  /** Lets the runner and its cell end. */
  close(): void
  /** Aborted with the reason when the runner has ended or can no longer be used. */
  readonly lost: AbortSignal
}

/** Returns a client for the runner in a cell. One invalid answer ends the runner. `lines`: the cell's output. */
export function runnerOf(cell: Cell, lines: AsyncIterable<Buffer>, mcp: Readonly<Record<string, McpServer>>): Runner {
  const waiting = new Map<string, (answer: ToolAnswer) => void>()
  const started = Promise.withResolvers<Awaited<Runner['ready']>>()
  const gone = new AbortController()
  let calls = 0
  let isClosing = false

  const lose = (why: string): void => {
    if (gone.signal.aborted) return
    gone.abort(new Error(why))
    started.reject(gone.signal.reason)
    cell.kill()
  }
  const send = (frame: ToRunner): void => void cell.stdin?.write(`${JSON.stringify(frame)}\n`)
  const read = async (): Promise<void> => {
    const cut = new Lines(mostLine)
    try {
      for await (const chunk of lines) {
        for (const line of cut.take(chunk)) {
          const frame = fromRunner.parse(JSON.parse(line))
          if (frame.type === 'ready') started.resolve(frame)
          else waiting.get(frame.id)?.({ ok: frame.ok, text: shortened(frame.text) })
        }
      }
      if (!isClosing) lose('its tool runner ended in its cell')
    } catch {
      lose('its tool runner sent something other than answers')
    }
  }
  started.promise.catch(() => undefined)
  cell.stdin?.on('error', () => undefined)
  const starting = setTimeout(() => lose('its tool runner did not start'), startMs)
  started.promise.finally(() => clearTimeout(starting)).catch(() => undefined)
  void read()
  send({ type: 'open', mcp })

  return {
    ready: started.promise,
    lost: gone.signal,
    close() {
      isClosing = true
      cell.stdin?.end()
    },
    async call(tool, input, timeoutMs, signal) {
      gone.signal.throwIfAborted()
      signal.throwIfAborted()
      const id = String(++calls)
      const { promise, resolve, reject } = Promise.withResolvers<ToolAnswer>()
      const isLost = (): void => reject(gone.signal.reason)
      const cancel = (): void => {
        send({ type: 'cancel', id })
        reject(signal.reason)
      }
      const timer = setTimeout(() => lose('its tool runner does not answer'), timeoutMs + graceMs)
      gone.signal.addEventListener('abort', isLost)
      signal.addEventListener('abort', cancel)
      waiting.set(id, resolve)
      send({ type: 'call', id, tool, input, timeoutMs })
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
        gone.signal.removeEventListener('abort', isLost)
        signal.removeEventListener('abort', cancel)
      }
    },
  }
}

function shortened(text: string): string {
  return text.length <= mostText ? text : `${text.slice(0, mostText / 2)}\n[…]\n${text.slice(-mostText / 2)}`
}

/** Returns why a runner was lost, as a clause; null if it was not lost. */
export function lossOf(runner: Runner): string | null {
  return runner.lost.aborted ? messageOf(runner.lost.reason) : null
}

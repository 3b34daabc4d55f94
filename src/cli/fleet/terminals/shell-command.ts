import { setTimeout as pause } from 'node:timers/promises'
import { exitCodes, PaddockError } from '../../../base/errors.ts'
import type { ApiClient } from '../../../client/api-client.ts'
import { say } from '../../terminal/terminal-output.ts'
import { terminalReset } from '../../terminal/terminal-reset.ts'
import { answered, connectServer, noServer, type ServerOptions, serverSocket } from '../connect.ts'
import { connectTerminal, type TerminalConnection } from './terminal-connection.ts'

export interface ShellOptions extends ServerOptions {
  readonly new?: boolean
  readonly watch?: boolean
  readonly lease?: string
}

/** The Ctrl-] key as terminals send it, with and without the keyboard protocol of kitty. */
const detachKeys: readonly string[] = ['\u001d', '\u001b[93;5u', '\u001b[93;5:1u']
/** Milliseconds to wait for a server that does not answer, and between two attempts. */
const [patienceMs, pauseMs] = [60_000, 500]

/** `paddock shell`: shows an agent's terminal in the user's. Returns when the session has ended or the user has detached. */
export async function shell(agent: string, command: readonly string[], options: ShellOptions): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new PaddockError('BAD_INPUT', 'paddock shell requires a terminal.', { hint: 'Run it in one, without a pipe' })
  const client = connectServer(options)
  const session = await sessionOf(client, agent, command, options)
  const connect = serverSocket(options)
  if (connect === null) throw noServer(options)
  let connection: TerminalConnection | null = null
  let [end, hasLeft, lostAt] = ['', false, null as number | null]
  const typed = (bytes: Buffer): void => {
    if (detachKeys.includes(bytes.toString('latin1'))) {
      hasLeft = true
      connection?.close()
    } else connection?.type(bytes)
  }
  const resized = (): void => connection?.say({ type: 'size', ...sizeNow() })
  process.stdin.setRawMode(true)
  process.stdin.on('data', typed)
  process.stdout.on('resize', resized)
  try {
    for (;;) {
      const isTyping = options.watch !== true
      const query = { columns: String(sizeNow().columns), rows: String(sizeNow().rows), takes: String(isTyping), answers: String(isTyping) }
      connection = connectTerminal(connect, session, query, {
        bytes: (bytes) => void process.stdout.write(bytes),
        frame(frame) {
          lostAt = null
          // The current screen follows and replaces everything shown before.
          if (frame.type === 'screen') process.stdout.write(`${terminalReset('screen')}\u001b[2J\u001b[H`)
          if (frame.type === 'ended') end = frame.why
          if (frame.type === 'slow') end = 'This terminal does not accept output.'
        },
      })
      if ((await connection.ended) || hasLeft) break
      lostAt ??= Date.now()
      if (Date.now() - lostAt > patienceMs) throw noServer(options)
      await pause(pauseMs)
    }
  } finally {
    process.stdin.off('data', typed)
    process.stdout.off('resize', resized)
    process.stdout.write(`${terminalReset('screen')}\r\n`)
    process.stdin.setRawMode(false)
    process.stdin.pause()
  }
  for (const line of hasLeft ? [`${session} keeps running; to return: paddock shell ${session}`] : end.split('\n')) say(line)
  return exitCodes.done
}

/** Returns the newest session of an agent, or a new one. With a command the session is always new. */
async function sessionOf(client: ApiClient, agent: string, command: readonly string[], options: ShellOptions): Promise<string> {
  const isId = /^e-[0-9a-z]{20}$/.test(agent)
  if (isId && (command.length > 0 || options.new === true))
    throw new PaddockError('BAD_INPUT', `${agent} is a session, which already has its command.`, {
      hint: 'Name an agent for a new one',
    })
  if (isId) return answered(await client.GET('/api/v1/sessions/{session}', { params: { path: { session: agent } } })).id
  if (command.length === 0 && options.new !== true) {
    const { name } = answered(await client.GET('/api/v1/agents/{agent}', { params: { path: { agent } } }))
    const { lease = null } = options
    const open = answered(await client.GET('/api/v1/sessions')).items.filter((each) => each.agent === name && each.lease === lease)
    const newest = open.at(-1)
    if (newest !== undefined) return newest.id
    if (options.watch === true)
      throw new PaddockError('NOT_FOUND', `${agent} has no terminal to watch.`, { hint: `Open one: paddock shell ${agent}` })
  }
  const body = {
    size: sizeNow(),
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(options.lease === undefined ? {} : { lease: options.lease }),
  }
  return answered(await client.POST('/api/v1/agents/{agent}/sessions', { params: { path: { agent } }, body })).id
}

function sizeNow(): { columns: number; rows: number } {
  return { columns: Math.max(2, process.stdout.columns ?? 80), rows: Math.max(1, process.stdout.rows ?? 24) }
}

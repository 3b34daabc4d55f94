import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { Lines } from '../../files/lines.ts'
import { Secret } from '../../secrets/secret.ts'
import { type AgentRequest, maxLine, requestSchema } from './agent-protocol.ts'
import { type Vault, vaultIsLocked } from './vault.ts'

export interface AgentOptions {
  /** The path of the socket. Its directory controls who may connect: the mode is 0700, which the caller must check. */
  readonly socket: string
  /** The end of the unlocked time, in milliseconds of the wall clock, so that time in which the machine slept counts. */
  readonly until: number
  readonly signal?: AbortSignal
}

const maxConnections = 64
/** The time after which an idle connection is closed, in milliseconds. */
const silenceMs = 30_000
/** The interval between checks in milliseconds. Checks are needed because timers do not advance while a machine sleeps. */
const lookMs = 5_000

/**
 * Keeps an unlocked vault for the other processes of its user. Ends at a time that is fixed at the start, or on a request to lock. Owns the
 * vault. Resolves when the socket accepts connections. `ended` resolves when keys and values are zeroed and the socket is closed.
 */
export async function serveVault(vault: Vault, options: AgentOptions): Promise<{ readonly ended: Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    if (open.size >= maxConnections) {
      socket.destroy()
      return
    }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(silenceMs, () => socket.destroy())
    const lines = new Lines(maxLine)
    let last: Promise<void> = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of lines.take(chunk)) last = last.then(() => reply(socket, line))
      } catch {
        socket.destroy()
      }
    })
  })
  const reply = async (socket: Socket, line: string): Promise<void> => {
    if (socket.destroyed) return
    const { answer, end } = await answered(vault, line, options.until)
    socket.write(`${JSON.stringify(answer)}\n`)
    if (end) stop()
  }
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const stop = (): void => {
    clearInterval(looking)
    vault.lock()
    server.close(() => resolve())
    for (const each of open) each.end(() => each.destroy())
  }
  const looking = setInterval(() => Date.now() >= options.until && stop(), Math.min(lookMs, Math.max(20, options.until - Date.now())))
  options.signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed)
      server.listen({ path: options.socket }, () => listening())
    })
    chmodSync(options.socket, 0o600)
  } catch (error) {
    stop()
    throw error
  }
  return { ended }
}

async function answered(vault: Vault, line: string, until: number): Promise<{ readonly answer: object; readonly end: boolean }> {
  try {
    if (Date.now() >= until) throw vaultIsLocked()
    const request = requestSchema.safeParse(parsed(line))
    if (!request.success) throw new PaddockError('BAD_INPUT', 'The process that keeps the vault unlocked does not understand the question.')
    return { answer: await act(vault, request.data, until), end: request.data.ask === 'lock' }
  } catch (error) {
    const { code, hint } = error instanceof PaddockError ? error : { code: 'FILES_FAILED', hint: undefined }
    return { answer: { failed: { code, message: messageOf(error), ...(hint === undefined ? {} : { hint }) } }, end: false }
  }
}

async function act(vault: Vault, request: AgentRequest, until: number): Promise<object> {
  switch (request.ask) {
    case 'status':
      return { file: vault.file, kind: vault.kind, until }
    case 'list':
      await vault.refresh()
      return { entries: vault.list() }
    case 'entry':
      await vault.refresh()
      return { entry: vault.entry(request.name) }
    case 'get': {
      await vault.refresh()
      using secret = vault.get(request.name)
      return { entry: vault.entry(request.name), value: secret.use((bytes) => bytes.toString('base64')) }
    }
    case 'set': {
      const { name, hosts, place } = request
      using value = Secret.take(`vault:${name}`, Buffer.from(request.value, 'base64'))
      return {
        entry: await vault.set({ name, value, ...(hosts === undefined ? {} : { hosts }), ...(place === undefined ? {} : { place }) }),
      }
    }
    case 'remove':
      await vault.remove(request.name)
      return {}
    case 'restore':
      return { restored: await vault.restore() }
    case 'lock':
      return {}
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import type { z } from 'zod'
import { type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { Lines } from '../../files/lines.ts'
import { Secret } from '../../secrets/secret.ts'
import { type AgentRequest, answerSchemas, failureSchema, socketName } from './agent-protocol.ts'
import type { NewEntry, VaultEntry } from './entries.ts'
import { privateDirectory } from './private-place.ts'

/** How long to wait for an answer, in milliseconds. A change may wait for those of other processes. */
const patienceMs = 90_000
/** The maximum size of an answer, enough for all names of a full vault with 64 hosts each. */
const maxAnswer = 32 * 1024 * 1024

/** Returns the directory of the socket of the process that keeps a vault unlocked. */
export const agentDirectory = (stateDirectory: string): string => path.join(stateDirectory, 'vault')

/** The unlocked vault of another process. */
export interface AgentClient extends Disposable {
  status(): Promise<{ readonly file: string; readonly kind: string; readonly until: number }>
  list(): Promise<readonly VaultEntry[]>
  entry(name: string): Promise<VaultEntry>
  get(name: string): Promise<{ readonly secret: Secret; readonly entry: VaultEntry }>
  set(wish: NewEntry): Promise<VaultEntry>
  remove(name: string): Promise<void>
  /** Restores a deleted vault file. Resolves to true if it was deleted. */
  restore(): Promise<boolean>
  /** Makes the process zero its secrets and exit. */
  lock(): Promise<void>
}

/**
 * Connects to the process that `paddock vault unlock` started. Null if no such process is running.
 * @throws PaddockError NOT_ALLOWED if another user could impersonate the process
 */
export async function connectAgent(stateDirectory: string): Promise<AgentClient | null> {
  const directory = agentDirectory(stateDirectory)
  if ((await stat(directory).catch(() => null)) === null) return null
  await privateDirectory(directory)
  const socket = await connected(path.join(realpathSync(directory), socketName))
  return socket === null ? null : client(socket)
}

/**
 * Connects through a descriptor of the directory, because a socket path has at most 107 bytes (unix(7)) and a state directory may have
 * more.
 */
function connected(file: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = inDirectory(file, (safe) => connect({ path: safe }))
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null)
      else
        reject(
          new PaddockError('VAULT_LOCKED', `${file} cannot be used (${error.code}).`, {
            hint: 'paddock vault lock, then paddock vault unlock',
          }),
        )
    })
  })
}

function client(socket: Socket): AgentClient {
  const lines = new Lines(maxAnswer)
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = []
  const fail = (): void => {
    socket.destroy()
    for (const each of waiting.splice(0))
      each.reject(new PaddockError('VAULT_LOCKED', 'The vault was locked meanwhile.', { hint: 'paddock vault unlock' }))
  }
  socket.setTimeout(patienceMs, fail)
  socket.on('error', fail)
  socket.on('close', fail)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const line of lines.take(chunk)) waiting.shift()?.resolve(line)
    } catch {
      fail()
    }
  })
  const ask = async <K extends AgentRequest['ask']>(request: AgentRequest & { ask: K }): Promise<z.infer<(typeof answerSchemas)[K]>> => {
    const line = await new Promise<string>((resolve, reject) => {
      waiting.push({ resolve, reject })
      if (socket.destroyed) fail()
      else socket.write(`${JSON.stringify(request)}\n`)
    })
    return understood(line, request.ask)
  }
  return {
    status: () => ask({ ask: 'status' }),
    list: async () => (await ask({ ask: 'list' })).entries.map(entryOf),
    entry: async (name) => entryOf((await ask({ ask: 'entry', name })).entry),
    async get(name) {
      const { entry, value } = await ask({ ask: 'get', name })
      return { entry: entryOf(entry), secret: Secret.take(`vault:${name}`, Buffer.from(value, 'base64')) }
    },
    async set({ name, value, hosts, place }) {
      const base64 = value.use((bytes) => bytes.toString('base64'))
      const rest = { ...(hosts === undefined ? {} : { hosts: [...hosts] }), ...(place === undefined ? {} : { place }) }
      return entryOf((await ask({ ask: 'set', name, value: base64, ...rest })).entry)
    },
    remove: async (name) => void (await ask({ ask: 'remove', name })),
    restore: async () => (await ask({ ask: 'restore' })).restored,
    lock: async () => void (await ask({ ask: 'lock' })),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

function entryOf({ place, ...rest }: z.infer<(typeof answerSchemas)['set']>['entry']): VaultEntry {
  return { ...rest, ...(place === undefined ? {} : { place }) }
}

function understood<K extends AgentRequest['ask']>(line: string, kind: K): z.infer<(typeof answerSchemas)[K]> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    value = undefined
  }
  const failure = failureSchema.safeParse(value)
  if (failure.success) {
    const { code, message, hint } = failure.data.failed
    throw new PaddockError(
      Object.hasOwn(errorExitCodes, code) ? (code as ErrorCode) : 'FILES_FAILED',
      message,
      hint === undefined ? {} : { hint },
    )
  }
  const answer = answerSchemas[kind].safeParse(value)
  if (answer.success) return answer.data as z.infer<(typeof answerSchemas)[K]>
  throw new PaddockError('VAULT_LOCKED', 'The process that keeps the vault unlocked is of another version of Paddock.', {
    hint: 'paddock vault lock, then paddock vault unlock',
  })
}

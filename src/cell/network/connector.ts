import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import { spawn } from '../../system/start-program.ts'

/** A connector that opens connections inside a cell's network, for published ports. Its process starts with the first connection. */
export interface Connector {
  connect(port: number): Promise<Socket>
  close(): void
}

export function makeConnector(enter: readonly string[]): Connector {
  let child: ChildProcess | null = null
  let ready: Promise<void> = Promise.resolve()
  let next = 0
  const waiting = new Map<number, { resolve(socket: Socket): void; reject(error: Error): void }>()
  const start = (): ChildProcess => {
    const [program = '', ...args] = [...enter, process.execPath, fileURLToPath(new URL('./connector.mjs', import.meta.url))]
    const started = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl-C in the user's terminal must not end this process.
      detached: true,
      env: {},
    })
    ready = new Promise((resolve, reject) => {
      started.on('message', (message: { readonly ready?: boolean; readonly id?: number; readonly error?: string }, handle) => {
        if (message.ready) resolve()
        const caller = waiting.get(message.id ?? -1)
        waiting.delete(message.id ?? -1)
        if (message.error !== undefined)
          caller?.reject(new PaddockError('CELL_FAILED', `Nothing answers on that port in the cell (${message.error}).`))
        else if (handle !== undefined) {
          if (caller) caller.resolve(handle as Socket)
          else (handle as Socket).destroy()
        }
      })
      started.once('error', reject)
      started.once('exit', () => {
        const error = new PaddockError('CELL_FAILED', 'The cell is gone.')
        reject(error)
        for (const each of waiting.values()) each.reject(error)
        waiting.clear()
        child = null
      })
    })
    ready.catch(() => undefined)
    return started
  }
  return {
    async connect(port) {
      child ??= start()
      const now = child
      await ready
      const id = next++
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        now.send({ id, port }, (error) => {
          if (error) reject(error)
        })
      })
    },
    close() {
      child?.kill('SIGKILL')
      child = null
    },
  }
}

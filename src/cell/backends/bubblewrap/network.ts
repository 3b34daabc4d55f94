import { spawn } from 'node:child_process'
import type { Socket as DatagramSocket } from 'node:dgram'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ListenerWish } from '../../../egress/gateway.ts'
import { PaddockError } from '../../../errors.ts'

/** How to enter the network namespace of a process: as root by that alone, otherwise with the user namespace that owns it. */
export function enterNetwork(nsenter: string, pid: number, asRoot: boolean): readonly string[] {
  return [nsenter, ...(asRoot ? [] : ['--user', '--preserve-credentials']), '--net', '--target', String(pid), '--']
}

/**
 * Opens the listeners inside the network namespace of `pid` and serves them here.
 * @throws PaddockError `CELL_FAILED` with what the holder said.
 */
export function openListeners(
  enter: readonly string[],
  ip: string,
  wishes: readonly ListenerWish[],
  serve: (wish: ListenerWish, handle: Server | DatagramSocket) => void,
): Promise<void> {
  const holder = fileURLToPath(new URL('./holder.mjs', import.meta.url))
  const [program = '', ...args] = [...enter, process.execPath, holder, ip, JSON.stringify(wishes)]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < 4096) said += chunk.toString('utf8')
  })
  return new Promise((resolve, reject) => {
    let finished = false
    child.on('message', (message: { readonly index?: number; readonly done?: boolean }, handle) => {
      const wish = wishes[message.index ?? -1]
      if (wish !== undefined && handle !== undefined) serve(wish, handle as Server | DatagramSocket)
      if (!message.done) return
      finished = true
      child.send('ok', () => {
        if (child.connected) child.disconnect()
      })
      resolve()
    })
    const fail = (cause: unknown): void => {
      if (!finished)
        reject(new PaddockError('CELL_FAILED', `The cell's network could not be set up: ${said.trim() || String(cause)}`, { cause }))
    }
    child.once('error', fail)
    child.once('exit', (code, name) => fail(`the holder ended with ${name ?? code}`))
  })
}

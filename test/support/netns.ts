import { spawn } from 'node:child_process'
import type { Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import type { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EgressGateway } from '../../src/egress/cell-gateway.ts'
import { freshDirectory } from './fresh-directory.ts'
import type { HolderRequest } from './netns-holder.ts'

/** A network namespace with only `lo`, whose sockets are used from outside. It is removed at the end of `using`. */
export interface TestNetwork extends AsyncDisposable {
  /** Opens the listeners of a gateway in the namespace and passes them to it. */
  serve(gateway: EgressGateway): Promise<void>
  /** The start of a command line that runs a program in the namespace, as root of this machine. */
  readonly enter: readonly string[]
  /** Opens a listener in the namespace, which this process serves. */
  listen(address: string, port: number): Promise<Server>
  /** Opens a connection from the namespace, half-open allowed. It is paused until it is read. */
  connect(address: string, port: number): Promise<Socket>
  /** Runs a program in the namespace. */
  run(argv: readonly string[], input?: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
}

interface Reply {
  readonly id: number
  readonly error?: string
  readonly code?: number
  readonly stdout?: string
  readonly stderr?: string
}

/** @param owner `user`: of a user namespace of its own, for everyone. `root`: of this machine's root, so that other users can be in it too. */
export async function openTestNetwork(owner: 'user' | 'root' = 'user'): Promise<TestNetwork> {
  const directory = freshDirectory(path.join(tmpdir(), 'paddock-netns-'))
  const resolvConf = path.join(directory, 'resolv.conf')
  await writeFile(resolvConf, 'nameserver 127.0.0.53\n')
  const holder = fileURLToPath(new URL('./netns-holder.ts', import.meta.url))
  const user = owner === 'user' ? ['--user', '--map-root-user'] : []
  const child = spawn('unshare', [...user, '--net', '--mount', '--', process.execPath, holder, resolvConf], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<{ reply: Reply; handle: unknown }>>()
  const expect = (id: number) => {
    const asked = Promise.withResolvers<{ reply: Reply; handle: unknown }>()
    waiting.set(id, asked)
    return asked.promise
  }
  child.on('message', (reply: Reply, handle) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.error === undefined) asked?.resolve({ reply, handle })
    else asked?.reject(new Error(reply.error))
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the holder of the namespace ended with ${code}`))
  })
  let lastId = 0
  const ask = (request: Omit<HolderRequest, 'id'>) => {
    const id = ++lastId
    const answered = expect(id)
    child.send({ id, ...request })
    return answered
  }
  await expect(0)

  return {
    async serve(gateway) {
      for (const wish of gateway.wishes()) {
        const { kind, address, port } = wish
        const { handle } = await ask({ op: kind, address, port })
        gateway.serve(wish, handle as Server | UdpSocket)
      }
    },
    enter: ['nsenter', `--net=/proc/${child.pid}/ns/net`, '--'],
    listen: async (address, port) => (await ask({ op: 'tcp', address, port })).handle as Server,
    async connect(address, port) {
      const { handle } = await ask({ op: 'connect', address, port })
      const socket = (handle as Socket).on('error', () => {})
      socket.allowHalfOpen = true
      return socket
    },
    async run(argv, input) {
      const { reply } = await ask({ op: 'run', argv, ...(input === undefined ? {} : { input }) })
      return { code: reply.code ?? -1, stdout: reply.stdout ?? '', stderr: reply.stderr ?? '' }
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      if (child.connected) child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await gone
      await rm(directory, { recursive: true, force: true })
    },
  }
}

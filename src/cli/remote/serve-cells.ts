import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { connect, createServer, Socket } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf, exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { tryLock } from '../../files/lock.ts'
import { greeting } from '../../remotes/greeting.ts'
import { openSocketDirectory } from '../../server/socket-directory.ts'
import { spawn } from '../../system/start-program.ts'
import { openCliHost } from '../open-host.ts'
import { ownProgram } from '../own-program.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { version } from '../version.ts'

/** Milliseconds until a server that was started must listen. */
const patienceMs = 15_000

interface CellServerOptions {
  readonly attach?: boolean
  readonly home: string
  readonly idle: string
}

/** `paddock cell-server`: serves the cells of another machine, or attaches its connection to the process that does. */
export async function cellServer({ attach = false, home, idle }: CellServerOptions): Promise<number> {
  if (!/^[0-9a-f]{16}$/.test(home)) throw new PaddockError('BAD_INPUT', `--home ${home} is not the id of a home.`)
  const { state } = resolvePaths(process.env)
  const directory = path.join(state, 'cell-servers', home, version)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (attach) await attachTo(directory, home)
  else await serve(directory, path.join(state, 'served-trees', home, version), Number(idle))
  return exitCodes.done
}

const socketOf = (directory: string): string => path.join(directory, 'cells.sock')

/** Carries bytes between the server and standard input and output, until one of them ends. */
async function attachTo(directory: string, home: string): Promise<void> {
  const server = await serverAt(directory, home)
  // Not process.stdout, whose writes to a pipe block.
  const [input, output] = [new Socket({ fd: 0, writable: false }), new Socket({ fd: 1, readable: false })]
  output.write(greeting(version))
  input.pipe(server)
  server.pipe(output)
  const end = (): void => {
    for (const each of [input, output, server]) each.destroy()
  }
  for (const each of [input, output, server]) each.on('error', end)
  input.once('end', end)
  server.once('close', () => output.end())
  await once(output, 'close')
  end()
}

/** Connects to the server, which is started if it does not run. */
async function serverAt(directory: string, home: string): Promise<Socket> {
  const until = performance.now() + patienceMs
  for (let isStarted = false; ; await setTimeout(25)) {
    const socket = await connected(socketOf(directory))
    if (socket !== null) return socket
    if (performance.now() > until)
      throw new PaddockError('CELL_FAILED', 'The server of cells did not start.', { hint: `Read ${path.join(directory, 'log')}` })
    if (!isStarted) startServer(directory, home)
    isStarted = true
  }
}

async function connected(file: string): Promise<Socket | null> {
  const socket = inDirectory(file, (address) => connect({ path: address }))
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}

/** Starts the server in a session of its own, so that it outlives the connection that needed it. */
function startServer(directory: string, home: string): void {
  const log = openSync(path.join(directory, 'log'), 'a', 0o600)
  try {
    const words = [...ownProgram(), 'cell-server', '--home', home]
    const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...words], {
      cwd: '/',
      detached: true,
      env: process.env,
      stdio: ['ignore', log, log],
    })
    child.unref()
  } finally {
    closeSync(log)
  }
}

/** Serves until nobody is connected and no cell is left. `trees`: a directory that cells may see parts of, unlike the one with the socket. */
async function serve(directory: string, trees: string, idleMs: number): Promise<void> {
  const lock = await tryLock({ file: path.join(directory, 'lock'), command: 'paddock cell-server', patienceMs: 1_000 })
  // Another one was quicker.
  if (lock === null) return
  const stopped = new AbortController()
  onEndSignal(() => stopped.abort())
  using host = openCliHost()
  using socket = await openSocketDirectory(socketOf(directory))
  const cells = await host.cellServer(trees)
  const server = createServer((connection) => void cells.connect({ readable: connection, writable: connection }))
  server.listen(socket.address)
  await once(server, 'listening')
  try {
    for (let idle = performance.now(); !stopped.signal.aborted; await setTimeout(Math.min(idleMs, 1_000))) {
      if (!cells.isIdle) idle = performance.now()
      else if (performance.now() - idle >= idleMs) break
    }
  } finally {
    server.close()
    await cells.close()
    lock[Symbol.dispose]()
  }
}

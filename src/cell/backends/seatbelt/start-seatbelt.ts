import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { identify } from '../../../system/process-identity.ts'
import { signal } from '../../../system/process-tree.ts'
import { spawn } from '../../../system/start-program.ts'
import type { BackendCell, BackendRequest } from '../../backend.ts'
import { assertInertEntries, inertPathsOf, makeInertEntries } from '../../trees/inert-entries.ts'
import { rememberTraces } from '../traces.ts'
import { type ProxyPlace, refuseUnenforceable, seatbeltCommand, seatbeltLimits } from './seatbelt-arguments.ts'
import { layOut } from './seatbelt-layout.ts'

/** Starts a cell for `seatbelt()`. */
export async function start(request: BackendRequest): Promise<BackendCell> {
  const { plan, runDirectory } = request
  if (process.platform !== 'darwin')
    throw new PaddockError('UNENFORCEABLE', 'The seatbelt backend needs macOS.', { hint: 'Use bubblewrap on Linux' })
  if (process.getuid?.() === 0)
    throw new PaddockError('UNENFORCEABLE', 'On macOS a cell of root would run as root.', { hint: 'Run Paddock as an ordinary user' })
  refuseUnenforceable(plan)
  const layout = layOut(plan, runDirectory, realOf)
  const proxy = plan.egress.mode === 'off' ? null : await openProxy(request)
  const note = rememberTraces(request)
  try {
    for (const each of layout.directories) mkdirSync(each, { recursive: true, mode: 0o700 })
    for (const each of layout.files) {
      mkdirSync(path.dirname(each.path), { recursive: true, mode: 0o700 })
      writeFileSync(each.path, each.content, { mode: 0o400 })
      chmodSync(each.path, 0o444)
    }
    request.place(inertPathsOf(plan), () => makeInertEntries(plan))
    assertInertEntries(plan)
    const { program, args, env, cwd } = seatbeltCommand(plan, layout, proxy)
    // In a new session, so that the cell has no terminal to type into and all processes are one group.
    const { stdin } = request.io
    const input = typeof stdin === 'object' && 'descriptor' in stdin ? stdin.descriptor : 'pipe'
    return await running(spawn(program, args, { env, cwd, detached: true, stdio: [input, 'pipe', 'pipe'] }), request, note)
  } catch (error) {
    proxy?.close()
    throw error
  }
}

/** Opens the gateway on both loopback addresses with the same port, so that `localhost` in the profile is only the gateway. */
async function openProxy(request: BackendRequest): Promise<ProxyPlace & { close(): void }> {
  const token = randomBytes(24).toString('hex')
  for (let tries = 0; tries < 20; tries++) {
    const first = await listening('127.0.0.1', 0)
    const { port } = first.address() as AddressInfo
    const second = await listening('::1', port).catch(() => null)
    if (second === null) {
      first.close()
      continue
    }
    for (const each of [first, second]) request.gateway.serveProxy(each, token)
    const close = (): void => {
      for (const each of [first, second]) each.close()
    }
    return { port, token, close }
  }
  throw new PaddockError('UNENFORCEABLE', 'No port is free on both loopback addresses.', { hint: 'Turn IPv6 on for the loopback' })
}

function listening(host: string, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

async function running(child: ChildProcess, request: BackendRequest, note: ReturnType<typeof rememberTraces>): Promise<BackendCell> {
  const { io, plan } = request
  const { pid, stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the streams of the cell are not piped')
  const exited = new Promise<{ code: number | null; setupError: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, setupError: error.message }))
    child.once('exit', (code, by) => resolve({ code: code ?? (by === null ? null : 128 + (numbers[by] ?? 9)), setupError: '' }))
  })
  child.stdin?.on('error', () => undefined)
  if (io.stdin === 'none') child.stdin?.end()
  else if (io.stdin instanceof Uint8Array) child.stdin?.end(io.stdin)
  if (pid !== undefined) note({ processes: [await identify(pid)].filter((each) => each !== null) })
  let bytes = 0
  for (const each of [stdout, stderr]) {
    const push = each.push.bind(each)
    each.push = (chunk, ...rest) => {
      bytes += chunk?.length ?? 0
      return push(chunk, ...rest)
    }
  }
  const group = (name: NodeJS.Signals): void => {
    if (pid !== undefined) signal(-pid, name)
  }
  void exited.then(() => group('SIGKILL'))
  return {
    stdin: io.stdin === 'pipe' ? child.stdin : null,
    stdout,
    stderr,
    exited,
    limits: seatbeltLimits(plan),
    outputBytes: () => bytes,
    resize: () => undefined,
    interrupt: () => group('SIGINT'),
    isStopped: async () => false,
    freeze: async () => false,
    goOn: async () => undefined,
    terminate: () => group('SIGTERM'),
    kill: () => group('SIGKILL'),
    close: async () => ({ oomKilled: false, cpuMs: null, peakMemoryBytes: null, traffic: null }),
    connectInside: () => Promise.reject(new Error('a cell on macOS has no ports that the host could tell from its own')),
  }
}

const numbers: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
  SIGXFSZ: 25,
}

/** Returns a path without symbolic links. A path that does not exist is resolved from its nearest existing ancestor. */
function realOf(file: string): string {
  if (existsSync(file)) return realpathSync.native(file)
  const parent = path.dirname(file)
  return parent === file ? file : path.join(realOf(parent), path.basename(file))
}

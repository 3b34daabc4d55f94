// Runs as root of a new user, mount and network namespace and serves its parent there: it opens listeners and
// connections and passes them over IPC, and runs programs. Exits with its parent.
import { execFileSync, type SendHandle, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'

export interface HolderRequest {
  readonly id: number
  readonly op: 'dns-udp' | 'dns-tcp' | 'tcp' | 'connect' | 'run'
  readonly address?: string
  readonly port?: number
  readonly argv?: readonly string[]
  readonly input?: string
}

process.on('disconnect', () => process.exit(0))
const [resolvConf = ''] = process.argv.slice(2)
execFileSync('ip', ['-batch', '-'], { input: 'link set lo up\nroute add local 198.18.0.0/15 dev lo\n' })
execFileSync('mount', ['--bind', resolvConf, '/etc/resolv.conf'])

/** Sends a reply. A listener that was passed on is closed here, so that only one process accepts from it. */
function reply(message: Record<string, unknown>, handle?: SendHandle): void {
  process.send?.(message, handle, {}, () => {
    if (handle !== undefined && 'close' in handle) handle.close()
  })
}

process.on('message', (request: HolderRequest) => {
  const { id, op, address = '', port = 0 } = request
  const failed = (error: Error) => reply({ id, error: error.message })
  if (op === 'run') run(request)
  else if (op === 'connect') {
    // Paused before it connects, so that no data meant for the parent is read here.
    const socket = connect({ host: address, port, allowHalfOpen: true }).pause()
    socket.once('error', failed)
    socket.once('connect', () => reply({ id }, socket))
  } else if (op === 'dns-udp') {
    const socket = createSocket('udp4')
    socket.once('error', failed)
    socket.bind(port, address, () => reply({ id }, socket))
  } else {
    const server = createServer()
    server.once('error', failed)
    server.listen({ host: address, port, backlog: 4_096 }, () => reply({ id }, server))
  }
})

function run({ id, argv = [], input = '' }: HolderRequest): void {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  child.stdin.on('error', () => {}).end(input)
  child.on('error', (error) => reply({ id, error: error.message }))
  child.on('close', (code) => reply({ id, code, ...output }))
}

reply({ id: 0 })

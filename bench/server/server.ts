import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../bin/paddock.mjs', import.meta.url))

/** A real server on a data directory of the benchmark. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  readonly token: string
  /** Milliseconds from the start of its process until it was ready. */
  readonly readyMs: number
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Where servers of the benchmark store their files. `projects`: where agents may work. */
export interface BenchPlace {
  readonly root: string
  readonly env: Record<string, string>
}

export function benchPlace(root: string): BenchPlace {
  const env = { PATH: process.env['PATH'] ?? '', HOME: path.join(root, 'home'), PADDOCK_HOME: path.join(root, 'paddock') }
  mkdirSync(path.join(env.PADDOCK_HOME, 'config'), { recursive: true, mode: 0o700 })
  mkdirSync(env.HOME)
  for (const each of ['projects', 'contests']) mkdirSync(path.join(root, each))
  writeFileSync(
    path.join(env.PADDOCK_HOME, 'config/config.yaml'),
    `schemaVersion: 1\nfleet: {projects: [${root}/projects], contests: [${root}/contests]}\n`,
  )
  return { root, env }
}

/** Starts a server, with a new token unless an earlier one is given. */
export async function startServer({ root, env }: BenchPlace, data: string, token?: string): Promise<BenchServer> {
  const ready = path.join(root, 'ready.json')
  rmSync(ready, { force: true })
  const began = performance.now()
  const args = [bin, 'serve', '--data', data, '--listen', '127.0.0.1:0', '--ready-file', ready]
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr?.resume()
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await setTimeout(2)
  }
  const readyMs = performance.now() - began
  const { url, pid } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string; pid: number }
  const made = (): string => {
    const printed = execFileSync(
      process.execPath,
      [bin, 'token', 'create', `bench-${Date.now()}`, '--role', 'owner', '--data', data, '--json'],
      { env },
    )
    return (JSON.parse(printed.toString()) as { token: string }).token
  }
  return {
    url: url.replace(/\/$/, ''),
    pid,
    token: token ?? made(),
    readyMs,
    async stop(signal) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    },
  }
}

/** Sends a request and returns the body of the answer; throws for any answer that is not a success. */
export async function ask<T>(
  server: BenchServer,
  method: string,
  route: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const answer = await fetch(`${server.url}/api/v1${route}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`)
  return (answer.status === 204 ? null : await answer.json()) as T
}

/** Returns the resident memory of a process in megabytes (1,048,576 bytes). */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Returns the pids of the agents' host processes in a data directory. */
export function hostPids(data: string): readonly number[] {
  const agents = path.join(data, 'agents')
  if (!existsSync(agents)) return []
  return readdirSync(agents).flatMap((each) => {
    const file = path.join(agents, each, 'host/host.json')
    if (!existsSync(file)) return []
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
    return existsSync(`/proc/${pid}`) ? [pid] : []
  })
}

/** Ends the host processes of a data directory, together with their cells. */
export function endHosts(data: string): void {
  for (const pid of hostPids(data)) process.kill(pid, 'SIGTERM')
}

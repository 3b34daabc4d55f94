import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ProbeBench } from './bench.ts'
import { becomes } from './named-processes.ts'

/** The answer of a server. */
export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: probes read single facts from answers, and compare them
  readonly body: any
}

/** Sends a request to the API of a fleet as one caller. `to`: the path after `/api/v1`. */
export type Ask = (method: string, to: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Answered>

/** A separate Paddock that serves a fleet with its own data, home and configuration. Its end also ends its host processes. */
export interface ProbeFleet extends AsyncDisposable {
  as(role: 'owner' | 'operator'): Promise<Ask>
}

/** Directories of a separate Paddock. */
export interface FleetPlace {
  /** Its state, configuration and home. */
  readonly root: string
  /** The data of the fleet. */
  readonly data: string
}

const startMs = 30_000
const jobMs = 30_000
const endStates: readonly unknown[] = ['done', 'failed', 'cancelled', 'interrupted']

export async function fleetPlace(bench: ProbeBench): Promise<FleetPlace> {
  const root = await bench.directory()
  await mkdir(path.join(root, 'home'))
  return { root, data: path.join(root, 'fleet') }
}

/**
 * Runs a separate Paddock to its end, and returns its standard output. Null if Paddock cannot be started.
 * @throws Error if it fails
 */
export async function runPaddock(bench: ProbeBench, args: readonly string[], { root }: FleetPlace): Promise<string | null> {
  const child = bench.startPaddock(args, { root, cwd: root })
  if (child === null) return null
  const said = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    said.out += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    said.err += String(chunk)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`paddock ${args.slice(0, 2).join(' ')} ended with ${code}: ${said.err.trim()}`)
  return said.out
}

/** Starts a server. Null if Paddock cannot be started. */
export async function serveFleet(bench: ProbeBench, place: FleetPlace): Promise<ProbeFleet | null> {
  const { root, data } = place
  const ready = path.join(await bench.directory(), 'ready.json')
  const args = ['serve', '--data', data, '--listen', '127.0.0.1:0', '--ready-file', ready]
  const child = bench.startPaddock(args, { root, cwd: root })
  if (child === null) return null
  child.stdout?.resume()
  let said = ''
  child.stderr?.on('data', (chunk) => {
    if (said.length < 1_000) said += String(chunk)
  })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const fleet: ProbeFleet = {
    async as(role) {
      const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string }
      const made = await runPaddock(bench, ['token', 'create', bench.secret(), '--role', role, '--data', data, '--json'], place)
      const { token } = JSON.parse(String(made)) as { token: string }
      return async (method, to, body, headers = {}) => {
        const answer = await fetch(new URL(`/api/v1${to}`, url), {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (!(await becomes(hasEnded, startMs))) child.kill('SIGKILL')
      const hosts = hostPids(data)
      for (const pid of hosts) end(pid)
      await becomes(() => hosts.every((pid) => !existsSync(`/proc/${pid}`)), startMs)
    },
  }
  if (await becomes(() => existsSync(ready) || hasEnded(), startMs)) if (existsSync(ready)) return fleet
  await fleet[Symbol.asyncDispose]()
  throw new Error(`the server of the probe did not start: ${said.trim()}`)
}

/** Gives an agent a job, and returns the id of the job. */
export async function giveJob(ask: Ask, agent: string): Promise<string> {
  const { status, body } = await ask('POST', '/jobs', { agent, prompt: 'from the probe' })
  if (status !== 202) throw new Error(`${agent} was given no job: ${JSON.stringify(body)}`)
  return String(body.id)
}

/** Returns a job once it has ended, or as it is after the longest wait. */
export async function endOf(ask: Ask, id: string): Promise<{ readonly state: string; readonly text: string }> {
  const end = Date.now() + jobMs
  for (;;) {
    const { body } = await ask('GET', `/jobs/${id}`)
    if (endStates.includes(body.state) || Date.now() > end) return { state: String(body.state), text: String(body.result?.text ?? '') }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the pids of the host processes of a fleet. */
function hostPids(data: string): readonly number[] {
  const agents = path.join(data, 'agents')
  if (!existsSync(agents)) return []
  return readdirSync(agents).flatMap((each) => {
    const file = path.join(agents, each, 'host/host.json')
    return existsSync(file) ? [(JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid] : []
  })
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
}

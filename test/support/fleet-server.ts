import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type ApiClient, apiClient } from '../../src/client/api-client.ts'
import { identify } from '../../src/system/process-identity.ts'
import { command, makeStage, paddock, type Stage, type Who } from './cli.ts'
import { until } from './processes.ts'

/** A real fleet server in its own stage. */
export interface FleetServer extends AsyncDisposable {
  readonly stage: Stage
  readonly data: string
  readonly url: string
  readonly pid: number
  /** A client with owner rights, over TCP. */
  readonly api: ApiClient
  /** Creates a token, and returns its secret. */
  token(role: string): Promise<string>
  /** Returns the pid of the host process of an agent. */
  hostOf(agentId: string): number
  /** Returns the pids of the running host processes. */
  hosts(): readonly number[]
  /** Kills the server with SIGKILL, and starts a new one on the same data. */
  replace(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  /** Returns the last output of the running server on standard error. */
  printed(): string
  /** Starts the server; `launcher` is the path of another Paddock. */
  start(args?: readonly string[], launcher?: string): Promise<void>
}

export async function startFleet(
  who: Who = 'user',
  args: readonly string[] = [],
  envOf: (env: Stage['env']) => Stage['env'] = (env) => env,
): Promise<FleetServer> {
  const stage = makeStage(who)
  const data = path.join(stage.root, 'elsewhere/fleet')
  mkdirSync(path.dirname(data))
  // Agents may use the stage's project, and contests may be in it.
  const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(config)
  writeFileSync(
    path.join(config, 'config.yaml'),
    `schemaVersion: 1\nfleet:\n  projects: [${stage.project}]\n  contests: [${stage.project}]\n`,
  )
  stage.own()
  const readyFile = path.join(stage.root, 'home', 'ready.json')
  let child: ChildProcess | null = null
  let ready = { url: '', pid: 0 }
  let secret = ''
  let count = 0
  let unasked = ''
  let printed = ''
  const start = async (more: readonly string[] = [], launcher?: string): Promise<void> => {
    rmSync(readyFile, { force: true })
    const own = ['serve', '--data', data, '--listen', '127.0.0.1:0', '--ready-file', readyFile]
    const words = command(who, [...own, ...args, ...more])
    const [program = '', ...rest] = words.map((each) => (each.endsWith('/bin/paddock.mjs') ? (launcher ?? each) : each))
    child = spawn(program, rest, { cwd: stage.project, env: envOf(stage.env), stdio: ['ignore', 'inherit', 'pipe'] })
    const started = child
    printed = ''
    started.stderr?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000)
    })
    started.once('exit', (code, signal) => {
      if (!started.killed) unasked = `the server ended by itself (${code ?? signal}): ${printed}`
    })
    await until(() => existsSync(readyFile) || started.exitCode !== null)
    if (started.exitCode !== null) throw new Error(unasked)
    ready = JSON.parse(readFileSync(readyFile, 'utf8')) as typeof ready
  }
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = new Promise<void>((resolve) =>
      child?.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
    )
    child?.kill(signal)
    await ended
  }
  const hosts = (): readonly number[] =>
    existsSync(path.join(data, 'agents'))
      ? agentDirectories(data).flatMap((each) => {
          const file = path.join(each, 'host/host.json')
          return existsSync(file) ? [(JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid] : []
        })
      : []
  const token = async (role: string): Promise<string> => {
    const made = await paddock(stage, ['token', 'create', `t${++count}`, '--role', role, '--data', data, '--json'])
    return (JSON.parse(made.stdout) as { token: string }).token
  }
  await start()
  secret = await token('owner')
  return {
    stage,
    data,
    get url() {
      return ready.url.replace(/\/$/, '')
    },
    get pid() {
      return ready.pid
    },
    get api() {
      return apiClient(ready.url.replace(/\/$/, ''), (request) => fetch(request), secret)
    },
    token,
    hostOf: (agentId) => (JSON.parse(readFileSync(path.join(data, 'agents', agentId, 'host/host.json'), 'utf8')) as { pid: number }).pid,
    hosts,
    start,
    kill,
    printed: () => printed,
    async replace() {
      await kill('SIGKILL')
      await start()
    },
    async [Symbol.asyncDispose]() {
      await kill('SIGKILL')
      for (const pid of hosts()) {
        if ((await identify(pid)) !== null) process.kill(pid, 'SIGKILL')
        while ((await identify(pid)) !== null) await setTimeout(25)
      }
      stage[Symbol.dispose]()
      if (unasked !== '') throw new Error(unasked)
    },
  }
}

function agentDirectories(data: string): readonly string[] {
  const root = path.join(data, 'agents')
  return readdirSync(root).map((each) => path.join(root, each))
}

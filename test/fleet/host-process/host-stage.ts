import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AgentData, fleetData } from '../../../src/fleet/data-directory.ts'
import type { HostClient, HostFrame } from '../../../src/fleet/host-process/host-client.ts'
import { startHost } from '../../../src/fleet/host-process/start-host.ts'
import { newId } from '../../../src/fleet/ids.ts'
import { type JobResult, jobResultSchema } from '../../../src/fleet/jobs/job.ts'
import type { Manifest } from '../../../src/fleet/manifest/manifest-schema.ts'
import { isRoot, makeStage, type Stage } from '../../support/cli.ts'
import { until } from '../../support/processes.ts'

export const paddockProgram = [process.execPath, fileURLToPath(new URL('../../../bin/paddock.mjs', import.meta.url))]

/** One agent of a fleet with a real host process, which a test starts like a server. */
export interface HostStage extends AsyncDisposable {
  readonly stage: Stage
  readonly agent: string
  readonly data: AgentData
  /** The frames that the newest client received. */
  readonly frames: HostFrame[]
  start(idleMs?: number): Promise<HostClient>
  /** Sends a run, and returns the job's id. */
  run(client: HostClient, command: readonly string[], more?: RunMore): string
  /** Waits for the frame that ends a job, and returns the job's result. */
  ended(job: string): Promise<JobResult>
  events(job: string): readonly Record<string, unknown>[]
  /** Kills the host process, and waits until its pid is gone. */
  kill(pid: number): Promise<void>
}

export interface RunMore {
  readonly job?: string
  readonly slot?: number
  readonly prompt?: string
  readonly manifest?: Partial<Manifest>
  readonly untrusted?: string[]
}

export const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

export function hostStage(): HostStage {
  const stage = makeStage(isRoot ? 'root' : 'user')
  const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(config)
  writeFileSync(path.join(config, 'config.yaml'), `schemaVersion: 1\nfleet:\n  projects: [${stage.root}]\n`)
  const agent = newId('agent')
  // Long enough that the path of the socket does not fit into a socket address.
  const data = fleetData(path.join(stage.root, 'paddock/data/fleet', 'x'.repeat(80))).agent(agent)
  const frames: HostFrame[] = []
  const pids = new Set<number>()
  const kill = async (pid: number): Promise<void> => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await until(() => !isAlive(pid))
  }
  return {
    stage,
    agent,
    data,
    frames,
    kill,
    async start(idleMs = 60_000) {
      frames.length = 0
      const options = { data, agent, program: paddockProgram, env: stage.env, idleMs }
      const client = await startHost(options, (frame) => void frames.push(frame))
      pids.add(client.hello.pid)
      return client
    },
    run(client, command, { job = newId('job'), slot = 1, prompt = 'a prompt', manifest = {}, untrusted } = {}) {
      client.send({
        type: 'run',
        job,
        slot,
        prompt,
        ...(untrusted === undefined ? {} : { untrusted }),
        manifest: { name: 'echo', agent: 'command', command: [...command], egress: { policy: 'off' }, ...manifest },
        conversation: null,
      })
      return job
    },
    async ended(job) {
      await until(() => frames.some((each) => each.type === 'ended' && each.job === job))
      return jobResultSchema.parse(JSON.parse(readFileSync(data.job(job).result, 'utf8')))
    },
    events: (job) =>
      readFileSync(data.job(job).transcript, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async [Symbol.asyncDispose]() {
      if (existsSync(data.hostFile)) pids.add((JSON.parse(readFileSync(data.hostFile, 'utf8')) as { pid: number }).pid)
      for (const each of pids) await kill(each)
      stage[Symbol.dispose]()
    },
  }
}

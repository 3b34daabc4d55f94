import { parse, TomlError } from 'smol-toml'
import * as z from 'zod'

/** The settings of task.toml, converted to settings of a contest. */
export interface TaskSettings {
  /** The agent's timeout in milliseconds; null: not set. */
  readonly agentMs: number | null
  readonly verifierMs: number | null
  readonly limits: { readonly cpus?: number; readonly memory?: string; readonly disk?: string }
  readonly env: Readonly<Record<string, string>>
  readonly solutionEnv: Readonly<Record<string, string>>
  readonly verifierEnv: Readonly<Record<string, string>>
  /** The working directory as an absolute path; null: the Dockerfile sets it. */
  readonly workdir: string | null
  /** Absolute paths that belong to the submission, in addition to the working directory. */
  readonly artifacts: readonly string[]
  /** Notes for the user. */
  readonly notes: readonly string[]
}

const env = z.record(z.string(), z.coerce.string()).default({})
const seconds = z.number().positive().max(1e7).optional()
const list = z.array(z.unknown()).default([])

/** The known keys of task.toml, schema 1.0 to 1.4, including older ones. Other keys are reported and have no effect. */
const shapes = {
  agent: z.looseObject({ timeout_sec: seconds, user: z.unknown().optional() }).prefault({}),
  verifier: z
    .looseObject({
      timeout_sec: seconds,
      env,
      user: z.unknown().optional(),
      environment_mode: z.string().optional(),
      environment: z.unknown().optional(),
    })
    .prefault({}),
  solution: z.looseObject({ env }).prefault({}),
  environment: z
    .looseObject({
      build_timeout_sec: seconds,
      docker_image: z.string().nullish(),
      cpus: z.number().positive().optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      memory: z.string().optional(),
      storage: z.string().optional(),
      gpus: z.number().default(0),
      gpu_types: z.unknown().optional(),
      allow_internet: z.boolean().optional(),
      network_mode: z.string().optional(),
      allowed_hosts: z.array(z.string()).default([]),
      workdir: z.string().optional(),
      env,
      mcp_servers: list,
      healthcheck: z.unknown().optional(),
      skills_dir: z.unknown().optional(),
      os: z.string().optional(),
    })
    .prefault({}),
}

const taskSchema = z.looseObject({
  version: z.coerce.string().optional(),
  schema_version: z.coerce.string().optional(),
  metadata: z.unknown().optional(),
  task: z.unknown().optional(),
  source: z.unknown().optional(),
  ...shapes,
  steps: list,
  artifacts: z.array(z.union([z.string(), z.looseObject({ source: z.string() })])).default([]),
})

const versions = ['1.0', '1.1', '1.2', '1.3', '1.4']

/** Reads task.toml. `reasons`: why a task with these settings cannot be run here. */
export function readSettings(text: string): TaskSettings | { readonly reasons: readonly string[] } {
  const data = parsed(text)
  if (typeof data === 'string') return { reasons: [`task.toml: ${data}`] }
  const read = taskSchema.safeParse(data)
  if (!read.success) return { reasons: read.error.issues.map(({ path, message }) => `task.toml: ${path.join('.')}: ${message}`) }
  const task = read.data
  const { environment, agent, verifier, solution } = task
  const all = { ...environment.env, ...verifier.env, ...solution.env }
  const version = task.schema_version ?? task.version ?? '1.0'
  const reasons = [
    versions.includes(version) ? null : `its schema is ${version}, and ${versions[0]} to ${versions.at(-1)} are known`,
    environment.docker_image ? `it needs the image ${environment.docker_image}` : null,
    environment.gpus > 0 ? `it needs ${environment.gpus} GPUs` : null,
    environment.mcp_servers.length > 0 ? 'it needs MCP servers' : null,
    environment.healthcheck === undefined ? null : 'it waits for a service (healthcheck)',
    environment.os !== undefined && environment.os !== 'linux' ? `it needs ${environment.os}` : null,
    task.steps.length > 0 ? `it has ${task.steps.length} steps` : null,
    (verifier.environment_mode ?? 'shared') === 'shared' && verifier.environment === undefined
      ? null
      : 'its verifier has its own environment',
    ...Object.entries(all).map(([name, value]) =>
      value.includes('${') ? `its variable ${name} uses a value from your environment: ${value}` : null,
    ),
    ...Object.keys(all).map((name) => (/^[A-Za-z_]\w*$/.test(name) ? null : `${name} is not the name of a variable`)),
    ...[environment.workdir ?? '/'].map((each) => (each.startsWith('/') ? null : `its workdir ${each} is not an absolute path`)),
  ].filter((each) => each !== null)
  const artifacts = task.artifacts.map((each) => (typeof each === 'string' ? each : each.source))
  for (const each of artifacts) if (!each.startsWith('/')) reasons.push(`its artifact ${each} is not an absolute path`)
  if (reasons.length > 0) return { reasons }
  const ms = (value: number | undefined): number | null => (value === undefined ? null : Math.ceil(value * 1000))
  const memory = sizeOf(environment.memory_mb, environment.memory)
  const disk = sizeOf(environment.storage_mb, environment.storage)
  return {
    agentMs: ms(agent.timeout_sec),
    verifierMs: ms(verifier.timeout_sec),
    limits: {
      ...(environment.cpus === undefined ? {} : { cpus: environment.cpus }),
      ...(memory === null ? {} : { memory }),
      ...(disk === null ? {} : { disk }),
    },
    env: environment.env,
    solutionEnv: solution.env,
    verifierEnv: verifier.env,
    workdir: environment.workdir ?? null,
    artifacts,
    notes: [...unknownKeys(data), ...networkNotes(environment)],
  }
}

function parsed(text: string): Record<string, unknown> | string {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return `line ${error.line}, column ${error.column}: ${error.message.split('\n')[0]}`
  }
}

function unknownKeys(data: Readonly<Record<string, unknown>>): string[] {
  const known = Object.keys(taskSchema.shape)
  const top = Object.keys(data).filter((key) => !known.includes(key))
  const inner = Object.entries(shapes).flatMap(([table, schema]) => {
    const value = data[table]
    if (typeof value !== 'object' || value === null) return []
    const keys = Object.keys(schema.unwrap().shape)
    return Object.keys(value).flatMap((key) => (keys.includes(key) ? [] : [`${table}.${key}`]))
  })
  return [...top, ...inner].map((key) => `task.toml: ${key} is not a key that is known, and has no effect`)
}

/** Returns notes on the network. A task cannot open it, because participants reach only the hosts that suite.yaml allows. */
function networkNotes({ allow_internet, network_mode, allowed_hosts }: z.output<typeof taskSchema>['environment']): string[] {
  const wants =
    allowed_hosts.length > 0
      ? `the hosts ${allowed_hosts.join(', ')}`
      : allow_internet === true || ['public', 'host', 'bridge'].includes(network_mode ?? '')
        ? 'the internet'
        : null
  return wants === null ? [] : [`it may use ${wants}: participants have what suite.yaml gives them, and checks have no network`]
}

/** Returns a size from a number of MiB, or from text such as 2G. */
function sizeOf(megabytes: number | undefined, text: string | undefined): string | null {
  if (megabytes !== undefined) return `${Math.ceil(megabytes)}MiB`
  const found = /^(\d+(?:\.\d+)?)\s*([KMGT])i?B?$/i.exec(text ?? '')
  return found === null ? null : `${found[1]}${(found[2] ?? 'M').toUpperCase()}iB`
}

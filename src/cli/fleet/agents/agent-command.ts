import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { codeOf, exitCodes, PaddockError } from '../../../base/errors.ts'
import { printable } from '../../../base/text.ts'
import type { components } from '../../../client/api.ts'
import { agentJsonSchema } from '../../../fleet/manifest/json-schema.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { printJson } from '../../terminal/terminal-output.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

export type Agent = components['schemas']['Agent']

/** Runs `paddock agent create`. */
export async function createAgent(file: string, options: ServerOptions): Promise<Answer<Agent>> {
  const yaml = await manifestText(file)
  const agent = answered(await connectServer(options).POST('/api/v1/agents', { body: { yaml } }))
  const next = agent.isApproved
    ? `and started. Give it a job: paddock job run ${agent.name} --prompt TEXT`
    : 'and starts once it is approved.'
  return { data: agent, lines: [`${agent.name} is created ${next}`, ...waitingLines(agent)] }
}

/** `paddock agent edit`: reads a new manifest from a file. */
export async function editAgent(name: string, file: string, options: ServerOptions): Promise<Answer<Agent>> {
  const yaml = await manifestText(file)
  const client = connectServer(options)
  const path = { agent: name }
  const before = answered(await client.GET('/api/v1/agents/{agent}', { params: { path } }))
  const header = { 'if-match': `"${before.version}"` }
  const agent = answered(await client.PUT('/api/v1/agents/{agent}', { params: { path, header }, body: { yaml } }))
  const saved = `${agent.name} has version ${agent.version} now`
  const lines =
    agent.waiting === null
      ? [`${saved}; running jobs keep the version that they started with.`]
      : [agent.isApproved ? `${saved}; until it is approved, the agent keeps the one before.` : `${saved}.`, ...waitingLines(agent)]
  return { data: agent, lines }
}

/** `paddock agent approve`: takes a manifest that waits for an owner, or drops it with `refuse`. */
export async function approveAgent(
  name: string,
  version: string,
  options: ServerOptions & { readonly refuse?: boolean },
): Promise<Answer<Agent>> {
  if (!/^[1-9]\d{0,14}$/.test(version))
    throw new PaddockError('BAD_INPUT', `${version} is not a version.`, { hint: `See it with: paddock agent show ${name}` })
  const allowed = options.refuse !== true
  const params = { params: { path: { agent: name } }, body: { version: Number(version), allowed } }
  const agent = answered(await connectServer(options).POST('/api/v1/agents/{agent}/approve', params))
  return shown(agent, allowed ? `Version ${version} of ${agent.name} is approved.` : `Version ${version} of ${agent.name} is refused.`)
}

/** Runs `paddock agent list`. */
export async function listAgents(options: ServerOptions & { readonly all?: boolean }): Promise<Answer<Result<'agent list'>>> {
  const client = connectServer(options)
  const items: Agent[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { limit: 200, ...(cursor === '' ? {} : { cursor }), ...(options.all === true ? { archived: 'true' } : {}) }
    const page: { items: Agent[]; next: string | null } = answered(await client.GET('/api/v1/agents', { params: { query } }))
    items.push(...page.items)
    cursor = page.next
  }
  const rows = items.map((each) => [
    each.name,
    each.state,
    each.manifest.agent,
    String(each.running),
    String(each.queued),
    (each.manifest.labels ?? []).join(' '),
  ])
  return { data: { items }, lines: table(['AGENT', 'STATE', 'RUNS', 'RUNNING', 'QUEUED', 'LABELS'], rows) }
}

/** `paddock agent show`: with `yaml`, prints only the agent's manifest. */
export async function showAgent(name: string, options: ServerOptions & { readonly yaml?: boolean }): Promise<Answer<Agent>> {
  const agent = answered(await connectServer(options).GET('/api/v1/agents/{agent}', { params: { path: { agent: name } } }))
  return { data: agent, lines: options.yaml === true ? yamlLines(agent) : agentLines(agent) }
}

/** Runs `paddock agent start`, `stop` or `archive`. */
export async function changeAgent(name: string, act: 'start' | 'stop' | 'archive', options: ServerOptions): Promise<Answer<Agent>> {
  const client = connectServer(options)
  const params = { params: { path: { agent: name } } }
  const answer = {
    start: () => client.POST('/api/v1/agents/{agent}/start', params),
    stop: () => client.POST('/api/v1/agents/{agent}/stop', params),
    archive: () => client.POST('/api/v1/agents/{agent}/archive', params),
  }[act]
  const agent = answered(await answer())
  const texts = {
    start: `${agent.name} is started.`,
    stop: `${agent.name} is stopped. It takes no more work and keeps its queue.`,
    archive: `${agent.name} is archived; its jobs can still be read, and its name is free.`,
  }
  return shown(agent, texts[act])
}

/** Runs `paddock agent delete`. */
export async function deleteAgent(name: string, options: ServerOptions): Promise<Answer<Result<'agent delete'>>> {
  answered(await connectServer(options).DELETE('/api/v1/agents/{agent}', { params: { path: { agent: name } } }))
  return { data: { deleted: name }, lines: [`${name} is deleted, with its jobs, home and workspace.`] }
}

/** Runs `paddock agent schema`. */
export function agentSchema(): number {
  printJson(agentJsonSchema())
  return exitCodes.done
}

function shown(agent: Agent, line: string): Answer<Agent> {
  return { data: agent, lines: [line] }
}

/** Returns the manifest as printable YAML that parses to the same manifest. Characters that are not printable are written as escapes. */
function yamlLines({ manifest }: Agent): readonly string[] {
  const lines = stringify(manifest).replace(/\n$/, '').split('\n')
  if (lines.every((each) => printable(each) === each)) return lines
  // JSON is also YAML.
  return JSON.stringify(manifest, null, 2)
    .split('\n')
    .map((line) => line.replaceAll(/./gsu, (each) => (printable(each) === each ? each : escaped(each))))
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`).join('')
}

function agentLines(agent: Agent): readonly string[] {
  return [
    `${agent.name}  ${agent.state}`,
    `id        ${agent.id}`,
    `jobs      ${agent.running} running, ${agent.queued} queued`,
    `version   ${agent.version}, of ${agent.updatedAt}`,
    ...waitingLines(agent),
    ...(agent.problem === null ? [] : [`problem   ${agent.problem}`]),
    ...agent.refusals.map(({ message, hint }) => `refused   ${message}${hint === undefined ? '' : ` ${hint}`}`),
    'manifest',
    ...yamlLines(agent).map((line) => `  ${line}`),
  ]
}

/** Returns what a manifest that waits for an owner asks for, and how to approve it. */
function waitingLines({ name, version, waiting }: Agent): readonly string[] {
  if (waiting === null) return []
  return [
    `waiting   version ${version} by ${waiting.by} waits for an owner, because it asks for`,
    ...waiting.asks.map((each) => `  ${printable(each)}`),
    `  paddock agent approve ${name} ${version}, or with --refuse`,
  ]
}

async function manifestText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new PaddockError('BAD_INPUT', `${file} cannot be read (${codeOf(error)}).`, {
      hint: 'Give a file with a manifest, or - for standard input',
      cause: error,
    })
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = ''
  for await (const chunk of stream) all += String(chunk)
  return all
}

import { nearest } from '../../base/nearest.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { type Manifest, modelAgent } from './manifest-schema.ts'
import { listedTool, modelShape, type ownTools } from './model.ts'

/** A problem that the schema cannot express: an unknown name, or keys that exclude each other. */
export interface KeyProblem {
  readonly path: KeyPath
  readonly message: string
}

/** Returns the problems of a manifest of kind `cli`. `agents`: the names of all known agents. */
export function cliProblems(manifest: Manifest, agents: readonly string[]): readonly KeyProblem[] {
  const { agent, command } = manifest
  const problems: KeyProblem[] = []
  if (agent === modelAgent) problems.push({ path: ['agent'], message: `is missing: known are ${agents.join(', ')}` })
  else if (!agents.includes(agent)) {
    const near = nearest(agent, agents)
    problems.push({
      path: ['agent'],
      message: `is not an agent: ${near === null ? `known are ${agents.join(', ')}` : `did you mean ${near}?`}`,
    })
  }
  const takesCommand = agent === 'command' || agent === 'acp'
  if (takesCommand && command === undefined)
    problems.push({ path: ['command'], message: `is missing: the agent is ${agent === 'acp' ? 'any that speaks ACP' : 'a command'}` })
  if (!takesCommand && command !== undefined)
    problems.push({ path: ['command'], message: 'has no effect with this agent: use args, or agent: command' })
  for (const [index, each] of (manifest.tools ?? []).entries())
    if (each !== 'ask' && each !== 'delegate')
      problems.push({ path: ['tools', index], message: 'is a tool of kind: model; a CLI brings its own. It can have ask and delegate' })
  if (manifest.tools !== undefined && manifest.egress?.policy === 'off')
    problems.push({ path: ['tools'], message: 'cannot be reached with egress.policy: off' })
  if (manifest.tools?.includes('delegate') === true && (manifest.delegates ?? []).length === 0)
    problems.push({ path: ['delegates'], message: 'is missing: the tool delegate gives jobs to the agents that it names' })
  for (const key of Object.keys(modelShape) as (keyof typeof modelShape)[])
    if (key !== 'tools' && manifest[key] !== undefined) problems.push({ path: [key], message: 'has no effect without kind: model' })
  return problems
}

/** Returns the problems of a manifest of kind `model`. `written`: the manifest as the user wrote it. */
export function modelProblems(manifest: Manifest, written: object): readonly KeyProblem[] {
  const problems: KeyProblem[] = []
  for (const key of ['agent', 'command', 'args', 'credentials'])
    if (Object.hasOwn(written, key)) problems.push({ path: [key], message: 'has no effect with kind: model' })
  for (const key of ['provider', 'model'] as const)
    if (manifest[key] === undefined) problems.push({ path: [key], message: 'is missing: kind is model' })
  problems.push(...endpointProblems(manifest, []))
  for (const [index, each] of (manifest.fallbacks ?? []).entries()) problems.push(...endpointProblems(each, ['fallbacks', index]))
  const { tools = [], mcp = {}, delegates = [] } = manifest
  const names = tools.map((each) => listedTool(each).name)
  for (const [index, name] of names.entries()) {
    const server = name.includes('/') ? name.split('/', 1)[0] : undefined
    if (server !== undefined && !Object.hasOwn(mcp, server))
      problems.push({ path: ['tools', index], message: `is a tool of ${server}, which is not among mcp` })
    if (names.indexOf(name) !== index) problems.push({ path: ['tools', index], message: 'is listed twice' })
  }
  const unused = Object.keys(mcp).find((server) => !names.some((name) => name.startsWith(`${server}/`)))
  if (unused !== undefined)
    problems.push({ path: ['mcp', unused], message: `has no effect: tools lists none of its tools, such as ${unused}/*` })
  if (names.includes('delegate' satisfies (typeof ownTools)[number]) && delegates.length === 0)
    problems.push({ path: ['delegates'], message: 'is missing: the tool delegate gives jobs to the agents that it names' })
  return problems
}

type Endpoint = Pick<Manifest, 'provider' | 'baseUrl' | 'apiKey' | 'keyless'>

function endpointProblems({ provider, baseUrl, apiKey, keyless }: Endpoint, path: KeyPath): readonly KeyProblem[] {
  const problems: KeyProblem[] = []
  if (provider === 'openai-compatible' && baseUrl === undefined)
    problems.push({ path: [...path, 'baseUrl'], message: 'is missing: such as http://127.0.0.1:8080/v1' })
  if (baseUrl !== undefined && !/^https?:$/.test(new URL(baseUrl).protocol))
    problems.push({ path: [...path, 'baseUrl'], message: 'must be a URL of http or https' })
  if (apiKey === undefined && keyless !== true)
    problems.push({ path: [...path, 'apiKey'], message: 'is missing: vault:NAME, or keyless: true' })
  if (apiKey !== undefined && keyless === true) problems.push({ path: [...path, 'keyless'], message: 'does not go with apiKey' })
  return problems
}

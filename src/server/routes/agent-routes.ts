import * as z from 'zod'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import { refusals, refuseWhatCannotBe } from '../../fleet/machine/gate.ts'
import { newAsks } from '../../fleet/manifest/manifest-asks.ts'
import { type Manifest, manifestSchema } from '../../fleet/manifest/manifest-schema.ts'
import { type NamedDirectories, withRealProject } from '../../fleet/manifest/project-rights.ts'
import { mostManifestBytes, readManifest } from '../../fleet/manifest/read-manifest.ts'
import type { Agent } from '../../fleet/store/agent-store.ts'
import type { Role } from '../../fleet/store/token-store.ts'
import type { AgentNow } from '../../fleet/views.ts'
import { type Caller, callerOf } from '../access/caller.ts'
import { mayUse } from '../access/role-order.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'
import { agentViewRoutes } from './agent-views.ts'
import { cursorAfter, keyOf, listQuery, pageOf } from './lists.ts'
import { pageText, remembered } from './page-text-routes.ts'
import { shownManifest } from './shown-manifest-routes.ts'

export interface AgentRoutes {
  readonly fleet: Fleet
  /** Returns the restrictions that this machine can enforce, from the last check. */
  readonly capabilities: () => Promise<Capabilities>
  /** The directories that manifests may name. */
  readonly projects: NamedDirectories
  /** What operators may give to agents without an owner (`fleet.credentials`). */
  readonly credentials: readonly string[]
}

const waitingSchema = z.object({
  manifest: manifestSchema.describe('As `manifest`.'),
  asks: z.array(z.string()).describe('What nobody has agreed to, such as `credentials: claude snapshot`. Viewers see only the keys.'),
  by: z.string().describe('Who saved it.'),
  at: z.string(),
})

export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    manifest: manifestSchema.describe('Viewers see … instead of the values of variables, headers, arguments and URLs.'),
    isApproved: z.boolean().describe('False if an owner has to approve its manifest before it works.'),
    waiting: waitingSchema.nullable().describe('The newest manifest, if it waits for the approval of an owner.'),
    version: z.int().describe('The version of the newest manifest. Increases with each edit; also the ETag.'),
    wanted: z.enum(['started', 'stopped']),
    state: z.enum(['working', 'idle', 'stopped', 'archived', 'failing']).describe('Its current state, according to its jobs.'),
    running: z.int().describe('Jobs that are running or waiting.'),
    queued: z.int().describe('Its own jobs that are waiting to start.'),
    problem: z.string().nullable().describe('Why it cannot work; null if it can.'),
    refusals: z
      .array(z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }))
      .describe('Parts of its manifest that this machine cannot enforce.'),
    createdAt: z.string(),
    updatedAt: z.string(),
    archivedAt: z.string().nullable(),
  })
  .meta({ id: 'Agent' })
type AgentView = z.output<typeof agentSchema>
/** A manifest as JSON, or as the YAML text that `application/yaml` is parsed to. */
const manifestBody = z.union([
  z.strictObject({ manifest: z.record(z.string(), z.unknown()).describe('The manifest as JSON.') }),
  z.strictObject({ yaml: z.string().describe('The manifest as YAML text.') }),
])
const params = z.object({ agent: z.string().max(100).describe('Its name or id.') })
const waits =
  'A manifest of an operator that asks for a credential, a wider policy, a level below L2, hosts for cells that hold something of yours, an endpoint or an address in your network waits for an owner, except for what the agent was approved with and for `fleet.credentials`.'

export function agentRoutes(app: App, { fleet, capabilities, projects, credentials }: AgentRoutes): void {
  const unagreed = (manifest: Manifest, agent: Agent | null, here: Capabilities): readonly string[] => {
    const approved = agent?.isApproved === true ? agent.manifest : null
    return newAsks(manifest, { approved, allowed: credentials }, here.agents)
  }
  /** Returns the name of a caller whose manifest has to wait for an owner, or null. */
  const waitsOf = async (caller: Caller, manifest: Manifest, before: Agent | null): Promise<string | null> =>
    caller.role === 'owner' || unagreed(manifest, before, await capabilities()).length === 0 ? null : caller.name
  const waitingView = (agent: Agent, role: Role, here: Capabilities): z.output<typeof waitingSchema> | null => {
    if (agent.waiting === null) return null
    const asks = unagreed(agent.waiting.manifest, agent, here)
    const shown = mayUse(role, 'operator') ? asks : asks.map((each) => each.split(':')[0] ?? '')
    return { ...agent.waiting, manifest: shownManifest(agent.waiting.manifest, { role }), asks: [...shown] }
  }
  /** Returns functions that return an agent for callers with a role. The parts of its present state are values, so that they can be compared. */
  const viewFor = (role: Role) =>
    remembered(
      (agent: Agent, here: Capabilities, state: AgentNow['state'], running: number, queued: number, problem: string | null): AgentView => ({
        ...agent,
        ...{ state, running, queued, problem },
        manifest: shownManifest(agent.manifest, { role }),
        waiting: waitingView(agent, role, here),
        refusals: [...refusals(agent.manifest, here, fleet.budgets)],
      }),
    )
  const viewsFor = { owner: viewFor('owner'), operator: viewFor('operator'), viewer: viewFor('viewer'), borrower: viewFor('borrower') }
  const views = async (agents: readonly Agent[], { role }: Caller): Promise<AgentView[]> => {
    const here = await capabilities()
    const all = fleet.now(agents)
    return all.map(({ agent, state, running, queued, problem }) => viewsFor[role](agent, here, state, running, queued, problem))
  }
  const view = async (agent: Agent, caller: Caller): Promise<AgentView> => (await views([agent], caller))[0] as AgentView
  /** Returns a manifest after all checks: it is valid, names only allowed directories, and can be enforced here. */
  const checked = async (body: z.output<typeof manifestBody>): Promise<Manifest> => {
    const here = await capabilities()
    const agents = ['acp', 'command', ...here.agents.map(({ name }) => name)]
    const text = 'yaml' in body ? body.yaml : JSON.stringify(body.manifest, null, 2)
    const manifest = withRealProject(readManifest(text, agents), projects)
    refuseWhatCannotBe(manifest, here, fleet.budgets)
    return manifest
  }
  const bodyLimit = 2 * mostManifestBytes
  agentViewRoutes(app, { fleet, capabilities, checked })
  app.addContentTypeParser(
    ['application/yaml', 'application/x-yaml', 'text/yaml'],
    { parseAs: 'string', bodyLimit },
    (_request, body, parsed) => parsed(null, { yaml: body }),
  )

  app.get(
    '/api/v1/agents',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listAgents',
        summary: 'Lists the agents of the fleet, oldest first.',
        querystring: z.strictObject({ ...listQuery, archived: z.stringbool().default(false).describe('Also list archived agents.') }),
        response: { 200: pageOf(agentSchema) },
      },
      serializerCompiler: pageText(agentSchema),
    },
    async (request) => {
      const { query } = request
      const asOf = fleet.events.last
      const found = fleet.agents.list({ after: keyOf(query.cursor), limit: query.limit, archived: query.archived })
      const last = found.length < query.limit ? undefined : found.at(-1)
      const next = last === undefined ? null : cursorAfter(last.id)
      return { items: await views(found, callerOf(request)), next, asOf }
    },
  )
  app.post(
    '/api/v1/agents',
    {
      config: { role: 'operator' },
      bodyLimit,
      schema: {
        operationId: 'createAgent',
        summary: 'Creates an agent and starts it.',
        description: `The manifest is JSON ({"manifest": …}), or YAML with the content type application/yaml. ${waits}`,
        body: manifestBody,
        response: { 201: agentSchema },
      },
    },
    async (request, reply) => {
      const manifest = await checked(request.body)
      const agent = fleet.create(manifest, await waitsOf(callerOf(request), manifest, null))
      return reply
        .code(201)
        .header('etag', etag(agent))
        .header('location', `/api/v1/agents/${agent.name}`)
        .send(await view(agent, callerOf(request)))
    },
  )
  app.get(
    '/api/v1/agents/:agent',
    {
      config: { role: 'viewer' },
      schema: { operationId: 'getAgent', summary: 'Returns one agent.', params, response: { 200: agentSchema } },
    },
    async (request, reply) => {
      const agent = fleet.agents.find(request.params.agent)
      return reply.header('etag', etag(agent)).send(await view(agent, callerOf(request)))
    },
  )
  app.put(
    '/api/v1/agents/:agent',
    {
      config: { role: 'operator' },
      bodyLimit,
      schema: {
        operationId: 'editAgent',
        summary: 'Replaces the manifest of an agent. Running jobs keep the manifest that they started with.',
        description: waits,
        params,
        headers: z.looseObject({ 'if-match': z.string().optional().describe('The ETag of the version that was edited.') }),
        body: manifestBody,
        response: { 200: agentSchema },
      },
    },
    async (request, reply) => {
      const agent = fleet.agents.find(request.params.agent)
      const manifest = await checked(request.body)
      const version = versionOf(request.headers['if-match'], agent)
      const edited = fleet.edit(agent, manifest, version, await waitsOf(callerOf(request), manifest, agent))
      return reply.header('etag', etag(edited)).send(await view(edited, callerOf(request)))
    },
  )
  app.post(
    '/api/v1/agents/:agent/approve',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'approveAgent',
        summary: 'Approves or refuses the manifest of an agent that waits for an owner.',
        params,
        body: z.strictObject({
          version: z.int().describe('The version that was read. Another one is not decided.'),
          allowed: z.boolean().describe('False: the manifest is dropped, and the agent keeps the one that was approved before.'),
        }),
        response: { 200: agentSchema },
      },
    },
    async (request) => {
      const { version, allowed } = request.body
      const agent = fleet.agents.find(request.params.agent)
      if (allowed && agent.waiting !== null) refuseWhatCannotBe(agent.waiting.manifest, await capabilities(), fleet.budgets)
      return view(fleet.decide(agent, version, allowed), callerOf(request))
    },
  )
  for (const act of ['start', 'stop', 'archive'] as const)
    app.post(
      `/api/v1/agents/:agent/${act}`,
      {
        config: { role: 'operator' },
        schema: { operationId: `${act}Agent`, summary: summaries[act], params, response: { 200: agentSchema } },
      },
      async (request) => {
        const agent = fleet.agents.find(request.params.agent)
        if (act === 'start') refuseWhatCannotBe(agent.manifest, await capabilities(), fleet.budgets)
        const changed = await fleet[act](agent)
        return view(changed, callerOf(request))
      },
    )
  app.delete(
    '/api/v1/agents/:agent',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'deleteAgent',
        summary: 'Ends the jobs of an agent and deletes it with its jobs, home and workspace.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const agent = fleet.agents.find(request.params.agent)
      await fleet.remove(agent)
      return reply.code(204).send(null)
    },
  )
}

const summaries = {
  start: 'Starts an agent, which then works on its queue.',
  stop: 'Stops an agent: it takes no more work, and running jobs continue.',
  archive: 'Ends the jobs of an agent and keeps it readable. Its name becomes free.',
} as const

const etag = (agent: Agent): string => `"${agent.version}"`

function versionOf(header: string | undefined, agent: Agent): number {
  if (header === undefined)
    throw new Refusal('PRECONDITION_REQUIRED', 'An edit requires the version that it is based on.', {
      hint: `Send If-Match: ${etag(agent)}`,
    })
  const found = /^"(\d{1,15})"$/.exec(header.trim())?.[1]
  if (found === undefined || Number(found) !== agent.version)
    throw new Refusal('PRECONDITION_FAILED', `${agent.name} was edited meanwhile: it has version ${agent.version}.`, {
      hint: 'Read it again and repeat the edit',
    })
  return agent.version
}

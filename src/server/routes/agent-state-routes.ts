import * as z from 'zod'
import type { AgentDoing } from '../../fleet/agents/agent-activity.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { jobStates } from '../../fleet/jobs/job.ts'
import type { Agent } from '../../fleet/store/agent-store.ts'
import type { AgentNow } from '../../fleet/views.ts'
import type { App } from '../server-deps.ts'

/**
 * The states of an agent. None is for a sleeping agent: a cell is created for a job and ends with it, so an agent without a job has cells
 * only for its terminals. Such an agent is `idle`.
 */
const states = ['waiting', 'failing', 'limited', 'working', 'starting', 'idle', 'stopped'] as const
const doingSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().describe('Its CLI, `command`, or `model`.'),
    model: z.string().nullable(),
    labels: z.array(z.string()),
    state: z
      .enum(states)
      .describe(
        'waiting: it needs a human · failing: it cannot start, or its last three jobs failed · limited: its vendor accepts no more work, or a budget is used up · starting: it has a job, but its cell is not running yet.',
      ),
    running: z.int(),
    queued: z.int(),
    isFree: z
      .boolean()
      .describe('Whether it would take a job now. Of several agents with the labels of a job, the first in this list takes it.'),
    problem: z.string().nullable().describe('Why it does not work; null if it could.'),
    now: z.object({ text: z.string(), at: z.string() }).nullable().describe('The newest thing that its running job said or did.'),
    last: z
      .object({ id: z.string(), state: z.enum(jobStates), promptStart: z.string(), endedAt: z.string().nullable() })
      .nullable()
      .describe('The job that it started last.'),
    recent: z.array(z.enum(jobStates)).describe('The states of its last jobs by start time, oldest first; at most 12.'),
    spentUsd: z.number().describe('What its jobs of today (UTC) cost.'),
    budgetUsd: z.number().nullable().describe('What they may cost.'),
  })
  .meta({ id: 'Doing' })
const most = 1_000

/** `/api/v1/fleet`: the current work of every agent, for pages that show all agents. */
export function doingRoutes(app: App, fleet: Fleet): void {
  const view = async (now: AgentNow): Promise<z.output<typeof doingSchema>> => {
    const { agent } = now
    const { manifest } = agent
    const doing = await fleet.doing(agent)
    const [last] = doing.recent
    return {
      ...{ id: agent.id, name: agent.name, agent: manifest.agent, model: manifest.model ?? null, labels: manifest.labels ?? [] },
      ...{
        state: stateOf(now, doing),
        running: now.running,
        queued: now.queued,
        isFree: fleet.isFree(agent),
        problem: now.problem ?? limitOf(doing)?.message ?? null,
      },
      now: doing.now,
      last: last === undefined ? null : { id: last.id, state: last.state, promptStart: last.promptStart, endedAt: last.endedAt },
      recent: doing.recent.map(({ state }) => state).reverse(),
      ...{ spentUsd: doing.today.usd, budgetUsd: doing.today.budget },
    }
  }
  app.get(
    '/api/v1/fleet',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getFleet',
        summary: 'Returns what every agent is doing now, oldest first; at most 1,000 agents.',
        querystring: z.strictObject({
          agents: z
            .string()
            .max(8_000)
            .optional()
            .describe('Only these agents, by id, separated by commas. Agents that no longer exist are left out.'),
        }),
        response: { 200: z.object({ items: z.array(doingSchema), asOf: z.int() }) },
      },
    },
    async ({ query }) => {
      const asOf = fleet.events.last
      const found =
        query.agents === undefined
          ? fleet.agents.list({ after: null, limit: most, archived: false })
          : query.agents
              .split(',')
              .map((each) => fleet.agents.get(each))
              .filter((each): each is Agent => each !== null && each.archivedAt === null)
      return { items: await Promise.all(fleet.now(found).map(view)), asOf }
    },
  )
}

function stateOf(now: AgentNow, doing: AgentDoing): (typeof states)[number] {
  const { state, problem } = now
  if (doing.recent.some((each) => each.state === 'waiting')) return 'waiting'
  if (state === 'stopped' || state === 'archived') return now.running > 0 ? 'working' : 'stopped'
  if (state === 'failing') return 'failing'
  if (state === 'working') return doing.isStarting ? 'starting' : 'working'
  if (problem !== null || limitOf(doing) !== null) return 'limited'
  const last = doing.recent.slice(0, 3)
  return last.length === 3 && last.every((each) => each.state === 'failed') ? 'failing' : 'idle'
}

/** Returns the rate limit that the agent's last job reached, if the limit still applies. */
function limitOf({ recent: [last] }: AgentDoing): { readonly message: string } | null {
  const outcome = last?.outcome ?? null
  if (outcome?.kind !== 'rate-limited' || (outcome.resetsAt ?? 0) <= Date.now()) return null
  return { message: `${outcome.message ?? 'Its vendor takes no more work'} until ${new Date(outcome.resetsAt ?? 0).toISOString()}` }
}

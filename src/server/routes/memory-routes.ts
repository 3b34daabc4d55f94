import * as z from 'zod'
import type { Fleet } from '../../fleet/fleet.ts'
import { mostEpisodes } from '../../fleet/store/episodes.ts'
import type { App } from '../server-deps.ts'

export const episodeSchema = z
  .object({
    job: z.string(),
    at: z.string(),
    state: z.enum(['done', 'failed', 'cancelled']),
    prompt: z.string().describe('The first 500 characters.'),
    answer: z.string().describe('The first 2,000 characters.'),
    origin: z.string().nullable().describe('The agent that it was inherited from; null if it is its own.'),
  })
  .meta({ id: 'Episode' })
const params = z.object({ agent: z.string().max(100).describe('Its name or id.') })

/** `/api/v1/agents/{agent}/memory`: an agent's memory of its jobs. */
export function memoryRoutes(app: App, { agents, episodes }: Pick<Fleet, 'agents' | 'episodes'>): void {
  app.get(
    '/api/v1/agents/:agent/memory',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listMemory',
        summary: `Lists what an agent remembers of its jobs, newest first; at most ${mostEpisodes}.`,
        params,
        response: { 200: z.object({ items: z.array(episodeSchema) }) },
      },
    },
    ({ params }) => ({ items: [...episodes.list(agents.find(params.agent).id, mostEpisodes)] }),
  )
  app.delete(
    '/api/v1/agents/:agent/memory',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'forgetAll',
        summary: 'Makes an agent forget all jobs. The jobs themselves are kept.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      episodes.forgetAll(agents.find(params.agent).id)
      return reply.code(204).send()
    },
  )
  app.delete(
    '/api/v1/agents/:agent/memory/:job',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'forgetJob',
        summary: 'Makes an agent forget one job. The job itself is kept.',
        params: params.extend({ job: z.string().max(64).describe('The id of the job that it remembers.') }),
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      episodes.forget(agents.find(params.agent).id, params.job)
      return reply.code(204).send()
    },
  )
}

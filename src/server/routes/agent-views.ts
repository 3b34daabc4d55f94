import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { trifectaSchema } from '../../base/trifecta-schema.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import type { Manifest } from '../../fleet/manifest/manifest-schema.ts'
import { manifestTrifecta } from '../../fleet/manifest/manifest-trifecta.ts'
import { policyWords } from '../../fleet/manifest/policy-words.ts'
import { callerOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'
import { shownManifest } from './shown-manifest-routes.ts'

export interface AgentViews {
  readonly fleet: Fleet
  readonly capabilities: () => Promise<Capabilities>
  /** Reads and checks a manifest in the same way as when an agent is created. @throws PaddockError */
  readonly checked: (body: { readonly manifest: Record<string, unknown> } | { readonly yaml: string }) => Promise<Manifest>
}

const params = z.object({ agent: z.string().max(100).describe('The name or id of the agent.') })
const factSchema = z
  .array(z.object({ text: z.string(), why: z.string().describe('How it is enforced, or by which key of the manifest.') }))
  .readonly()
const policySchema = z
  .object({ may: factSchema, mustAsk: factSchema, mayNot: factSchema, trifecta: trifectaSchema })
  .readonly()
  .meta({ id: 'Policy', description: 'Sentences that complete "It may", "It must ask" and "It may not", and the rating of its cells.' })
const entrySchema = z.object({
  name: z.string(),
  kind: z.enum(['file', 'directory', 'link', 'other']),
  size: z.number().nullable(),
  modifiedAt: z.string().nullable(),
})
const lookSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('directory'), entries: z.array(entrySchema).readonly(), truncated: z.boolean() }),
    z.object({ kind: z.literal('file'), size: z.number(), text: z.string().nullable().describe('Null if it is not text.') }),
  ])
  .meta({ id: 'Look' })

/** Adds routes for what pages show in addition to an agent's manifest: its policy as sentences, its files, and problems of a manifest. */
export function agentViewRoutes(app: App, { fleet, capabilities, checked }: AgentViews): void {
  const policyOf = async (manifest: Manifest) => ({
    ...policyWords(manifest),
    trifecta: manifestTrifecta(manifest, (await capabilities()).agents),
  })
  app.get(
    '/api/v1/agents/:agent/policy',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getPolicy',
        summary: 'Returns what an agent may do, in plain language.',
        params,
        response: { 200: policySchema },
      },
    },
    async (request) => policyOf(shownManifest(fleet.agents.find(request.params.agent).manifest, callerOf(request))),
  )
  app.get(
    '/api/v1/agents/:agent/files',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'lookAtFiles',
        summary: 'Returns a directory or file of the workspace that an agent keeps between jobs.',
        params,
        querystring: z.strictObject({
          path: z.string().max(4096).default('').describe('The path, with / between names; the workspace itself by default.'),
          slot: z.coerce
            .number()
            .int()
            .min(1)
            .max(64)
            .default(1)
            .describe('Which workspace, for an agent with several jobs at the same time.'),
        }),
        response: { 200: lookSchema },
      },
    },
    async ({ params, query }) => {
      const agent = fleet.agents.find(params.agent)
      if ((agent.manifest.workspace ?? 'own') !== 'own')
        throw new PaddockError('CONFLICT', `${agent.name} works in a project, or in copies or work trees of one.`, {
          hint: 'A job shows what it changed',
        })
      return fleet.look(agent, query.path === '' ? [] : query.path.split('/'), query.slot)
    },
  )
  app.post(
    '/api/v1/manifests/check',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'checkManifest',
        summary: 'Returns whether an agent could be created from a manifest, and its policy in plain language. Creates nothing.',
        body: z.strictObject({ yaml: z.string() }),
        response: {
          200: z.object({
            problem: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }).nullable(),
            policy: policySchema.nullable(),
          }),
        },
      },
    },
    async ({ body }) => {
      try {
        return { problem: null, policy: await policyOf(await checked(body)) }
      } catch (error) {
        if (!(error instanceof PaddockError)) throw error
        return { problem: { code: error.code, message: error.message, hint: error.hint ?? null }, policy: null }
      }
    },
  )
}

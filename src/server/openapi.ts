import type { SwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Need } from './access/role-order.ts'
import { problemType } from './problem.ts'

type Operation = { responses?: Record<string, unknown>; [key: string]: unknown }
interface Document {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

/** The tags of operations, and the first parts of their paths under `/api/v1`. */
const tags: Readonly<Record<string, { readonly about: string; readonly paths: readonly string[] }>> = {
  agents: { about: 'Agents, their manifests, files and memory.', paths: ['agents', 'manifests', 'fleet'] },
  jobs: { about: 'Jobs, their transcripts and changes.', paths: ['jobs'] },
  terminals: { about: 'Terminals of agents.', paths: ['sessions'] },
  questions: { about: 'What waits for a human.', paths: ['inbox', 'approvals'] },
  triggers: { about: 'Schedules, hooks, webhooks and Discord.', paths: ['schedules', 'hooks', 'webhooks', 'discord'] },
  leases: { about: 'Lent agents.', paths: ['leases', 'lease'] },
  contests: { about: 'Contests and suites.', paths: ['contests', 'suites'] },
  usage: { about: 'What agents used, and their budgets.', paths: ['usage', 'budgets'] },
  secrets: { about: 'Logins, keys and the vault.', paths: ['credentials', 'vault'] },
  access: { about: 'Tokens, browser sessions and tickets.', paths: ['tokens', 'session', 'login-links', 'tickets'] },
  server: {
    about: 'Events, the audit log, guarantees, health and settings of the server.',
    paths: ['events', 'audit', 'guarantees', 'capabilities', 'server', 'resume', 'healthz', 'readyz', 'metrics'],
  },
}

/**
 * Returns the options to generate the OpenAPI document from the routes. Every operation has a tag, a description with the roles that may use
 * it, and problems as responses. `x-paddock-roles` lists a route's roles (owner includes operator, operator includes viewer);
 * `x-paddock-over: unix` marks routes of the Unix socket.
 */
export function openApi(version: string): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Paddock',
        version,
        description: 'The API of a fleet of agents.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The server that this document is from.' }],
      tags: Object.entries(tags).map(([name, { about }]) => ({ name, description: about })),
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (facts) => {
      const { schema, url } = jsonSchemaTransform(facts)
      const { role = [], over } = facts.route.config ?? {}
      const { summary, description = summary } = (facts.schema ?? {}) as { readonly summary?: string; readonly description?: string }
      const access = {
        'x-paddock-roles': [role].flat(),
        ...(over === undefined ? {} : { 'x-paddock-over': over }),
        security: role === 'public' ? [] : [{ token: [] }],
        tags: [tagOf(url)],
        description: [description, whoMay(role, over)].filter((each) => each !== undefined).join('\n\n'),
      }
      return { schema: { ...schema, ...access }, url }
    },
    transformObject: (facts) => {
      const document = jsonSchemaTransformObject(facts) as Document
      const answer = {
        description: 'What went wrong.',
        content: {
          [problemType]: {
            // Zod's registry contains this schema under its id, like all schemas with an id.
            schema: { $ref: '#/components/schemas/Problem' },
          },
        },
      }
      for (const path of Object.values(document.paths ?? {}))
        for (const operation of Object.values(path)) operation.responses = { ...operation.responses, '4XX': answer, '5XX': answer }
      dropUnused(document)
      return document as ReturnType<typeof jsonSchemaTransformObject>
    },
  }
}

/** Returns the tag of a path. */
function tagOf(url: string): string {
  const [first = ''] = url.replace(/^\/(?:api\/v1\/)?/, '').split('/')
  return Object.keys(tags).find((name) => tags[name]?.paths.includes(first)) ?? first
}

function whoMay(role: Need, over: 'unix' | undefined): string {
  if (over === 'unix') return 'Only over the Unix socket of the server.'
  return role === 'public' ? 'Requires no credential.' : `Requires the role ${[role].flat().join(' or ')}.`
}

/** Removes unused schemas, because Zod's registry has separate ones for input and output. */
function dropUnused(document: Document): void {
  const schemas = document.components?.schemas ?? {}
  for (let before = -1; before !== Object.keys(schemas).length; ) {
    before = Object.keys(schemas).length
    const text = JSON.stringify(document)
    for (const name of Object.keys(schemas)) if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name]
  }
}

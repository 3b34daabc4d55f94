import type { SwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { problemType } from './problem.ts'

type Operation = { responses?: Record<string, unknown>; [key: string]: unknown }
interface Document {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

/**
 * Returns the options to generate the OpenAPI document from the routes. Every operation may respond with a problem. `x-paddock-roles` lists
 * a route's roles (owner includes operator, operator includes viewer); `x-paddock-over: unix` marks routes of the Unix socket.
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
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (facts) => {
      const { schema, url } = jsonSchemaTransform(facts)
      const { role = [], over } = facts.route.config ?? {}
      const access = {
        'x-paddock-roles': [role].flat(),
        ...(over === undefined ? {} : { 'x-paddock-over': over }),
        ...(role === 'public' ? {} : { security: [{ token: [] }] }),
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
        for (const operation of Object.values(path)) operation.responses = { ...operation.responses, default: answer }
      dropUnused(document)
      return document as ReturnType<typeof jsonSchemaTransformObject>
    },
  }
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

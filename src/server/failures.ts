import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type Issue, noRoute, type Problem, type ProblemCode, problem, problemOf, problemType, Refusal } from './problem.ts'

/** Problem codes for statuses that Fastify itself uses. */
const ofStatus: Readonly<Record<number, ProblemCode>> = {
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  503: 'BUSY',
}

/** Answers every failure of the app with `application/problem+json`: errors, input that a schema refuses, and unknown routes. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendFailure(noRoute(null), request, reply))
}

/** Answers with the problem for an error. Errors of the server are logged, but not that it is busy; the text of an unknown one is not sent. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) void reply.headers(error.headers)
  const known = problemOf(error) ?? ofFastify(error)
  if (known === null) request.log.error({ err: error }, 'request failed')
  else if (known.status >= 500 && known.code !== 'BUSY') request.log.warn({ code: known.code, err: error }, 'request failed')
  return send(reply, known ?? problem('INTERNAL'))
}

function send(reply: FastifyReply, answer: Problem): FastifyReply {
  // The body is sent as text, because the route's own schema for the status would be applied to an object.
  return reply.code(answer.status).type(problemType).serializer(JSON.stringify).send(answer)
}

function ofFastify(error: unknown): Problem | null {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map((each) => issueOf(error.validationContext ?? 'request', each))
    return problem('BAD_INPUT', issues.map(({ place, message }) => `${place}: ${message}`).join('; '), { issues })
  }
  const { statusCode, message } = error as { readonly statusCode?: unknown; readonly message?: unknown }
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 600) return null
  const code = ofStatus[statusCode] ?? (statusCode < 500 ? 'BAD_INPUT' : null)
  return code === null ? null : problem(code, String(message))
}

const placeNames: Readonly<Record<string, string>> = { querystring: 'query' }

function issueOf(context: string, issue: { readonly instancePath: string; readonly message?: string | undefined }): Issue {
  const path = issue.instancePath.split('/').filter((each) => each !== '')
  return { place: [placeNames[context] ?? context, ...path].join('.'), message: issue.message ?? 'is not valid' }
}

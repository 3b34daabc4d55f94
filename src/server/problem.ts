import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import { type ErrorCode, PaddockError, redact } from '../base/errors.ts'

/** The HTTP status for every problem code of the API. */
export const problemStatuses = {
  BAD_INPUT: 400,
  NOT_ALLOWED: 403,
  TOPIC_REFUSED: 422,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 503,
  UNENFORCEABLE: 422,
  CELL_FAILED: 500,
  FILES_FAILED: 500,
  AGENT_NOT_INSTALLED: 422,
  LOGIN_NEEDED: 422,
  LOGIN_NOT_RENEWED: 502,
  VAULT_LOCKED: 423,
  WRONG_PASSPHRASE: 403,
  TOO_MANY_TRIES: 429,
  CREDENTIAL_FAILED: 502,
  CANCELLED: 409,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PRECONDITION_REQUIRED: 428,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
} as const satisfies Readonly<Record<ErrorCode, number>> & Readonly<Record<string, number>>

export type ProblemCode = keyof typeof problemStatuses

/** The body of a response with a status of 400 or more (RFC 9457), as `application/problem+json`. */
export const problemSchema = z
  .object({
    type: z.string().describe('A URN that ends with the code.'),
    title: z.string().describe('The name of the HTTP status.'),
    status: z.int(),
    code: z.string().describe('Stable, for programs to compare.'),
    detail: z.string().optional().describe('One sentence for a person.'),
    hint: z.string().optional().describe('How to fix it.'),
    issues: z
      .array(z.object({ place: z.string(), message: z.string() }))
      .optional()
      .describe('What is wrong with the input, and where.'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>
export type Issue = NonNullable<Problem['issues']>[number]

export const problemType = 'application/problem+json'

/** An error that only the API uses. Unlike a `PaddockError`, it can have headers, and codes that commands do not have. */
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, options: { hint?: string; headers?: Readonly<Record<string, string>> } = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.hint = options.hint
    this.headers = options.headers ?? {}
  }
}

/** Returns the refusal of a request that no route answers. `allow`: the methods of its path, or null if no route has this path. */
export function noRoute(allow: string | null): Refusal {
  if (allow === null) return new Refusal('NOT_FOUND', 'No route has this path.')
  return new Refusal('METHOD_NOT_ALLOWED', `The methods of this path are ${allow}.`, { headers: { allow } })
}

/** Returns the body of a problem, with secrets redacted. */
export function problem(code: ProblemCode, detail?: string, more: { hint?: string | undefined; issues?: readonly Issue[] } = {}): Problem {
  const status = problemStatuses[code]
  return {
    type: `urn:paddock:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    ...(detail === undefined ? {} : { detail: redact(detail) }),
    ...(more.hint === undefined ? {} : { hint: redact(more.hint) }),
    ...(more.issues === undefined ? {} : { issues: more.issues.map(({ place, message }) => ({ place, message: redact(message) })) }),
  }
}

/** Returns the problem for an error that was thrown on purpose; null for any other error, whose text may contain anything. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof PaddockError || error instanceof Refusal) return problem(error.code, error.message, { hint: error.hint })
  return null
}

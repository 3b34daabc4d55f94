import { type ErrorCode, errorExitCodes } from '../../src/base/errors.ts'
import { type ProblemCode, problemStatuses } from '../../src/server/problem.ts'
import { errorMeanings } from './exit-codes.ts'
import { code, heading, table } from './markdown.ts'

/** The codes that only the API uses. */
const ofTheApi: Readonly<Record<Exclude<ProblemCode, ErrorCode>, string>> = {
  UNAUTHENTICATED: 'the token or session is missing, wrong or expired',
  FORBIDDEN: 'the role may not do this',
  HOST_NOT_ALLOWED: 'the name in `Host` is not one of this server: see `--public`',
  ORIGIN_NOT_ALLOWED: 'the request is from a page of another origin',
  METHOD_NOT_ALLOWED: 'the path has other methods, which `Allow` lists',
  REQUEST_TIMEOUT: 'the request took too long to arrive',
  PRECONDITION_FAILED: '`If-Match` names another version: it was edited meanwhile',
  TOO_LARGE: 'the body, or the prompt, is too large',
  UNSUPPORTED_MEDIA_TYPE: 'the body is of a kind that this route does not read',
  PRECONDITION_REQUIRED: 'an edit needs `If-Match`',
  HEADERS_TOO_LARGE: 'the headers are too large',
  INTERNAL: 'a fault of the server; its log has the cause',
}

/** Returns the codes and statuses of the API's errors. */
export function apiErrorsPage(): string {
  const rows = Object.entries(problemStatuses)
    .sort(([, a], [, b]) => a - b)
    .map(([name, status]) => [
      code(String(status)),
      code(name),
      name in errorExitCodes ? errorMeanings[name as ErrorCode] : ofTheApi[name as keyof typeof ofTheApi],
    ])
  return [
    heading('Errors of the API', 'src/server/problem.ts'),
    'Every answer with a status of 400 or more is `application/problem+json` (RFC 9457) with a `code`, for programs to compare, one sentence in\n`detail`, and usually a `hint`.\n',
    table(['status', 'code', 'meaning'], rows),
  ].join('\n')
}

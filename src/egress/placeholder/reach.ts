import { methodOverrides } from '../inspect/overrides.ts'
import { readingsOf } from '../inspect/path.ts'
import { matcherOf, pathPattern } from '../inspect/rules.ts'
import type { CredentialHost } from './credential.ts'
import type { SwappableRequest } from './swap.ts'

export interface ReachingRequest extends SwappableRequest {
  readonly method: string
}

/**
 * Makes the judge of what a credential may be used for at a host. Whatever a server could take the request for must be allowed, and none
 * of it excepted: a spelling can only lose by being unusual. `path` is the canonical one of the request's target.
 */
export function reachOf(host: CredentialHost): (request: ReachingRequest, path: string) => boolean {
  const { methods = [], query, except = [] } = host
  const allowed = host.paths.map((path) =>
    matcherOf({ action: 'allow', methods, path, ...(query === undefined ? {} : { query }), source: '' }),
  )
  const excepted = except.map((each) => matcherOf({ action: 'deny', ...each, source: '' }))
  const byMethod = methods.length + except.length > 0
  return (request, path) => {
    const mark = request.target.indexOf('?')
    const asked = mark < 0 ? '' : request.target.slice(mark)
    const overrides = byMethod ? methodOverrides(request.headers, asked) : []
    const readings = readingsOf(path)
    if (readings === null || overrides === null) return false
    return [request.method, ...overrides].every((method) =>
      readings.every(
        (reading) =>
          allowed.some((matches) => matches(method, reading, asked)) && !excepted.some((matches) => matches(method, reading, asked)),
      ),
    )
  }
}

/** True where every reading of the path is one that the patterns allow. */
export function matchesAny(path: string, patterns: readonly string[]): boolean {
  const allowed = patterns.map((each) => pathPattern(each, ''))
  return readingsOf(path)?.every((reading) => allowed.some((each) => each.test(reading))) ?? false
}

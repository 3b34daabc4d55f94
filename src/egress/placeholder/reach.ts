import { methodOverrides } from '../requests/overrides.ts'
import { Parameters } from '../requests/parameters.ts'
import { readingsOf } from '../requests/path.ts'
import { pathPattern, type Reading, readingOf } from '../requests/path-pattern.ts'
import { matcherOf } from '../requests/request-rules.ts'
import type { CredentialHost } from './credential.ts'
import type { SwappableRequest } from './swap.ts'

export interface ReachingRequest extends SwappableRequest {
  readonly method: string
}

/** The ways in which servers could read a request. Null if there are too many, or they cannot be determined. */
interface Asked {
  readonly readings: readonly Reading[] | null
  /** The methods of the request, including those in override fields and parameters. */
  readonly methods: readonly string[] | null
  readonly parameters: Parameters
}

/** Cache of the readings, because the same request is checked for each of a forge's many hosts. */
const read = new WeakMap<ReachingRequest, { readonly path: string; readonly asked: Asked }>()

/**
 * Returns a function that decides whether a credential may be used for a request to a host. Every reading of the request must be allowed,
 * and none may be excepted. An unusual spelling can only make the result stricter. `path` is the canonical path of the request's target.
 */
export function reachOf(host: CredentialHost): (request: ReachingRequest, path: string) => boolean {
  const { methods = [], query, except = [] } = host
  const allowed = host.paths.map((path) =>
    matcherOf({ action: 'allow', methods, path, ...(query === undefined ? {} : { query }), source: '' }),
  )
  const excepted = except.map((each) => matcherOf({ action: 'deny', ...each, source: '' }))
  const byMethod = methods.length + except.length > 0
  return (request, path) => {
    const asked = askedOf(request, path)
    const named = byMethod ? asked.methods : [request.method]
    const { readings, parameters } = asked
    if (readings === null || named === null) return false
    return readings.every((reading) => {
      let open = named
      for (const matches of allowed) open = matches(open, reading, parameters)
      return open.length === 0 && excepted.every((matches) => matches(named, reading, parameters).length === named.length)
    })
  }
}

function askedOf(request: ReachingRequest, path: string): Asked {
  const known = read.get(request)
  if (known?.path === path) return known.asked
  const mark = request.target.indexOf('?')
  const query = mark < 0 ? '' : request.target.slice(mark)
  const overrides = methodOverrides(request.headers, query)
  const asked: Asked = {
    readings: readingsOf(path)?.map(readingOf) ?? null,
    methods: overrides === null ? null : [...new Set([request.method, ...overrides])],
    parameters: new Parameters(query),
  }
  read.set(request, { path, asked })
  return asked
}

/** Returns true if the patterns allow every reading of the path. */
export function matchesAny(path: string, patterns: readonly string[]): boolean {
  const allowed = patterns.map((each) => pathPattern(each, { ignoreCase: false }))
  return readingsOf(path)?.every((reading) => allowed.some((each) => each.matches(readingOf(reading)))) ?? false
}

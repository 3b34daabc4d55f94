import type { FastifyRequest } from 'fastify'
import { printable } from '../../base/text.ts'
import { arrivalOf } from '../arrival.ts'
import { Refusal } from '../problem.ts'
import type { Site } from './sites.ts'

/** The only accepted Host header over the Unix socket, so that a page cannot rebind a name to a proxy of that socket. */
const socketHost = 'localhost'
const reading = new Set(['GET', 'HEAD'])

/**
 * Throws unless a request names this server and does not come from another page. Host and Origin are compared exactly, port included.
 * Returns the named site, or null over the Unix socket. Runs before everything else, including an upgrade.
 */
export function checkSite(request: FastifyRequest): Site | null {
  const { raw } = request
  const arrival = arrivalOf(raw.socket)
  if (arrival === null) throw new Refusal('FORBIDDEN', 'The connection came in on no listener of this server.')
  // A target in absolute form has a second host.
  if (raw.url?.startsWith('/') !== true) throw new Refusal('BAD_INPUT', 'The target of a request must be a path.')
  const host = only(raw.rawHeaders, 'host')
  if (arrival.over === 'unix') {
    if (raw.headers.origin !== undefined || raw.headers['sec-fetch-site'] !== undefined)
      throw new Refusal('ORIGIN_NOT_ALLOWED', 'Requests of web pages are not accepted over the Unix socket.')
    if (host !== socketHost) throw new Refusal('HOST_NOT_ALLOWED', `Over the Unix socket, the Host header must be ${socketHost}.`)
    return null
  }
  const site = arrival.sites().find((each) => each.host === host)
  if (site === undefined)
    throw new Refusal('HOST_NOT_ALLOWED', `This server does not answer to the name ${shown(host)}.`, {
      hint: 'To add a name, restart with: paddock serve --public NAME',
    })
  const origin = raw.headers.origin
  if (origin !== undefined && origin !== site.origin)
    throw new Refusal('ORIGIN_NOT_ALLOWED', `Pages of ${shown(origin)} must not use this server as ${site.host}.`, {
      hint: `Open ${site.origin}/ instead, or add its name with: paddock serve --public NAME`,
    })
  const from = raw.headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin' && from !== 'none' && (request.ws || !reading.has(request.method)))
    throw new Refusal('ORIGIN_NOT_ALLOWED', 'Another site sent this request through a browser.', {
      hint: `Open ${site.origin}/ instead, or add its name with: paddock serve --public NAME`,
    })
  return site
}

/** Returns the value of a header that occurs exactly once, else null. Node would keep the first of several values. */
function only(rawHeaders: readonly string[], name: string): string | null {
  const values = rawHeaders.filter((_each, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  return values.length === 1 ? (values[0] ?? null) : null
}

function shown(text: string | null): string {
  return text === null ? '(none)' : JSON.stringify(printable(text.slice(0, 100)))
}

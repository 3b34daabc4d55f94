import type { Tokens } from '../format.ts'
import { parseObject } from '../login-document.ts'
import { claimsOf, timeOf, tokenOf } from '../token-text.ts'
import type { TokenResponse } from './transport.ts'

/** The answer of a token endpoint. `why` is one clause, which repeats nothing from the response except a code of known form. */
export type Answer =
  /** New tokens. `skewMs`: how far the server's clock is ahead of this one. */
  | { readonly kind: 'tokens'; readonly tokens: Tokens; readonly skewMs: number }
  /** The refresh token can no longer be used. */
  | { readonly kind: 'refused'; readonly why: string }
  /** No new tokens. `lost`: they may have been issued nevertheless. */
  | { readonly kind: 'failed'; readonly why: string; readonly retryAfterMs: number; readonly lost: boolean }

const maxWaitMs = 3_600_000
/** Error codes that mean "log in again": those of RFC 6749, section 5.2, and of auth.openai.com. */
const final = new Set([
  'invalid_grant',
  'refresh_token_expired',
  'refresh_token_reused',
  'refresh_token_invalidated',
  'app_session_terminated',
])

/** Parses the answer of a token endpoint (RFC 6749, section 5). `now` is in milliseconds. `name` is the prefix of the secrets' names. */
export function readAnswer(response: TokenResponse, host: string, name: string, now: number): Answer {
  const value = parseObject(response.body.toString('utf8'))
  const retryAfterMs = retryAfter(response.headers['retry-after'], now)
  const failed = (why: string): Answer => ({ kind: 'failed', why, retryAfterMs, lost: response.status === 200 })
  if (response.status !== 200) {
    const code = codeOf(value)
    if (code !== null && final.has(code) && response.status >= 400 && response.status < 500) return { kind: 'refused', why: code }
    return failed(`${host} answered with HTTP ${response.status}${code === null ? '' : ` (${code})`}`)
  }
  const access = tokenOf(`${name} access token`, value?.['access_token'])
  const given = value?.['refresh_token']
  const refresh = tokenOf(`${name} refresh token`, given)
  if (access === null || (given != null && refresh === null)) {
    access?.dispose()
    return failed(`${host} answered with something that is not a token`)
  }
  const date = Date.parse(String(response.headers['date']))
  // Small differences are ignored, because the date has whole seconds and the response took some time.
  const skewMs = Number.isNaN(date) || Math.abs(date - now) < 30_000 ? 0 : date - now
  const seconds = value?.['expires_in']
  const bounded = typeof seconds === 'number' && seconds > 0 && seconds < 10 * 366 * 86_400
  const claimed = timeOf(claimsOf(value?.['access_token'])['exp'])
  const tokens: Tokens = {
    access,
    refresh,
    idToken: tokenOf(`${name} id token`, value?.['id_token']),
    // A duration does not depend on a correct clock, but a date does.
    expiresAt: bounded ? new Date(now + seconds * 1_000) : claimed === null ? null : new Date(claimed.getTime() - skewMs),
  }
  return { kind: 'tokens', tokens, skewMs }
}

function codeOf(value: Readonly<Record<string, unknown>> | null): string | null {
  const error = value?.['error']
  const nested =
    typeof error === 'object' && error !== null
      ? ((error as { code?: unknown; type?: unknown }).code ?? (error as { type?: unknown }).type)
      : error
  const code = nested ?? value?.['code']
  return typeof code === 'string' && /^[a-z][a-z_]{2,40}$/.test(code) ? code : null
}

/** Returns the time to wait in milliseconds (RFC 9110, section 10.2.3: seconds or a date). */
function retryAfter(header: string | string[] | undefined, now: number): number {
  if (typeof header !== 'string') return 0
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxWaitMs)
}

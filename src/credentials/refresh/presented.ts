import { parseObject } from '../login-document.ts'

/** Returns the refresh token in the body of a renewal, as JSON or as a form (RFC 6749, section 6); null if there is none. */
export function presentedToken(body: string): string | null {
  const found = parseObject(body)?.['refresh_token'] ?? new URLSearchParams(body).get('refresh_token')
  return typeof found === 'string' ? found : null
}

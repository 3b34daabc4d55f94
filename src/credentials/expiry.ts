import { formatDuration } from '../base/quantities.ts'
import { type HostLogin, nameOfLogin } from './agent-login.ts'
import { logInAgain } from './log-in-again.ts'

/** The expiry of a login. `renewable`: the login contains what is needed to renew it without the user. */
export interface Expiry {
  readonly state: 'good' | 'soon' | 'ended'
  readonly renewable: boolean
  /** One sentence for the user; null: there is nothing to report. */
  readonly sentence: string | null
  readonly hint: string | null
}

const soonMs = 24 * 3_600_000

/** Returns a message for the user about the expiry of a login. An access token that is renewed automatically may expire at any time. */
export function expiryOf(
  login: Pick<HostLogin, 'agent' | 'format' | 'provider' | 'refresh' | 'expiresAt' | 'volume'>,
  now: number,
): Expiry {
  const renewable = login.refresh !== null
  const left = login.expiresAt === null ? Number.POSITIVE_INFINITY : login.expiresAt.getTime() - now
  const state = left <= 0 ? 'ended' : left < soonMs ? 'soon' : 'good'
  if (renewable || state === 'good') return { state, renewable, sentence: null, hint: null }
  const name = nameOfLogin(login)
  const hint = logInAgain(login.format, login.volume)
  if (state === 'ended') return { state, renewable, sentence: `The ${name} login expired ${formatDuration(-left)} ago.`, hint }
  return { state, renewable, sentence: `The ${name} login expires in ${formatDuration(left)}, and nothing can renew it.`, hint }
}

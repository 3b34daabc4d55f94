import type { Role } from '../../fleet/store/token-store.ts'
import { OneTime } from './one-time.ts'
import type { Clock } from './steady-clock.ts'

export const loginLinkMs = 5 * 60_000
const most = 64

/** What a link gives to the browser that uses it. `name`: whose it is; null if nobody named it. */
export interface LoginLink {
  readonly role: Role
  readonly name: string | null
}

/** Codes that each start a browser session with a role. A code is in the fragment of a URL, which is not sent to servers. */
export class LoginLinks extends OneTime<LoginLink> {
  constructor(clock: Clock) {
    super(clock, loginLinkMs, most)
  }
}

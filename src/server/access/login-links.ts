import type { Role } from '../../fleet/store/tokens.ts'
import type { Clock } from './clock.ts'
import { OneTime } from './one-time.ts'

export const loginLinkMs = 5 * 60_000
const most = 64

/** Codes that each start a browser session with a role. A code is in the fragment of a URL, which is not sent to servers. */
export class LoginLinks extends OneTime<Role> {
  constructor(clock: Clock) {
    super(clock, loginLinkMs, most)
  }
}

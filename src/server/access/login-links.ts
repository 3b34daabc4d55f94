import type { Role } from '../../fleet/store/tokens.ts'
import type { Clock } from './clock.ts'
import { OneTime } from './one-time.ts'

export const loginLinkMs = 5 * 60_000
const most = 64

/** Codes that start a session of a browser, by the role that it gets. They go in the fragment of a URL, which no server is sent. */
export class LoginLinks extends OneTime<Role> {
  constructor(clock: Clock) {
    super(clock, loginLinkMs, most)
  }
}

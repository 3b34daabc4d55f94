import type { YourJudging } from '../../contest/judging/yours/your-judging.ts'
import { openEntry } from '../access/server-access.ts'
import { guardedApp } from '../app.ts'
import { sendFailure } from '../failures.ts'
import { Refusal } from '../problem.ts'
import { sessionRoutes } from '../routes/session-routes.ts'
import type { App, AppDeps } from '../server-deps.ts'
import { judgingRoutes } from './judging-routes.ts'

/** The largest request body, in bytes. A reason may be as long as one from a judge; all other input is short. */
const bodyLimit = 256 * 1024
/** A token store without tokens, because the login link is the only way in. */
const noTokens = { check: () => null, get: () => null }

export interface JudgingApp {
  readonly app: App
  /** The code of the login link. It starts a session, once, within its lifetime. */
  readonly code: string
}

/** Returns the app with the page on which you judge one contest. `done` is called after your last answer was acknowledged. */
export function judgingApp(judging: YourJudging, log: AppDeps['log'], done: () => void): JudgingApp {
  const entry = openEntry(noTokens, null)
  const app = guardedApp({ log, bodyLimit }, entry)
  app.register(async (routes) => {
    // The hints name commands of the fleet, which do not apply here.
    routes.setErrorHandler((error, request, reply) =>
      sendFailure(error instanceof Refusal ? new Refusal(error.code, error.message, { headers: error.headers }) : error, request, reply),
    )
    sessionRoutes(routes as App, entry)
    judgingRoutes(routes as App, judging, done)
  })
  return { app, code: entry.loginLinks.issue({ role: 'owner', name: null }) }
}

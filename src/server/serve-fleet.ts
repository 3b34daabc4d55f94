import type { AuditSink } from '../audit/event.ts'
import { startDiscord } from '../fleet/discord/discord-connector.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Capabilities } from '../fleet/machine/capabilities.ts'
import type { NamedDirectories } from '../fleet/manifest/project-rights.ts'
import { agentAccess } from './agent-access.ts'
import { buildApp } from './app.ts'
import { measureFleet } from './fleet-metrics.ts'
import type { OwnCommand } from './own-command.ts'
import { agentRoutes } from './routes/agent-routes.ts'
import { doingRoutes } from './routes/agent-state-routes.ts'
import { approvalRoutes, type Questions } from './routes/approval-routes.ts'
import { auditRoutes } from './routes/audit-routes.ts'
import { changeRoutes } from './routes/change-routes.ts'
import { contestRoutes } from './routes/contest-routes.ts'
import { discordRoutes } from './routes/discord-routes.ts'
import { fleetRoutes } from './routes/fleet-routes.ts'
import { guaranteeRoutes } from './routes/guarantee-routes.ts'
import { hookRoutes } from './routes/hook-routes.ts'
import { inboxRoutes } from './routes/inbox-routes.ts'
import { givingTo } from './routes/job-input.ts'
import { jobRoutes } from './routes/job-routes.ts'
import { leaseRoutes } from './routes/lease-routes.ts'
import { memoryRoutes } from './routes/memory-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { pageRoutes } from './routes/page-routes.ts'
import { scheduleRoutes } from './routes/schedule-routes.ts'
import { type ServerFacts, serverRoutes } from './routes/server-routes.ts'
import type { SuiteRoutes } from './routes/suites/suite-schemas.ts'
import { suiteRoutes } from './routes/suites/suites-routes.ts'
import { terminalRoutes } from './routes/terminal-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'
import { vaultRoutes } from './routes/vault-routes.ts'
import { webhookRoutes } from './routes/webhook-routes.ts'
import type { App, AppDeps } from './server-deps.ts'

export interface FleetServer extends Omit<AppDeps, 'tokens' | 'sessions' | 'events' | 'routes'> {
  readonly fleet: Fleet
  /** Runs a command of this Paddock in a separate process and returns its JSON output. */
  readonly command: OwnCommand
  readonly contests: Omit<SuiteRoutes, 'command'>
  /** The directory of this user's audit log. */
  readonly auditDirectory: string
  readonly questions: Questions
  readonly facts: Omit<ServerFacts, 'version' | 'projects' | 'contests'>
  /** Determines which restrictions this machine can enforce. */
  readonly look: () => Promise<Capabilities>
  /** The directory with the page's files. Without it there is no page. */
  readonly page?: string
  readonly projects: NamedDirectories
  /** What operators may give to agents without the approval of an owner (`fleet.credentials`). */
  readonly credentials: readonly string[]
  /** The largest prompt in bytes of UTF-8. */
  readonly maxPromptBytes: number
  /** Records actions of Discord users; by default they are not recorded. */
  readonly audit?: AuditSink
  /** The URL of the Discord API; Discord's own by default. */
  readonly discordApi?: string
}

/** Returns the app that serves a fleet; `listen` gives it connections. */
export function fleetApp(options: FleetServer): App {
  const { fleet, command, contests, auditDirectory, questions, facts, look, page, projects, credentials, maxPromptBytes, ...given } =
    options
  const { audit = () => undefined, discordApi, ...deps } = given
  let looked: Promise<Capabilities> | null = null
  const lookAgain = (): Promise<Capabilities> => {
    const looking = look()
    looked = looking
    // The next caller tries again.
    looking.catch(() => {
      if (looked === looking) looked = null
    })
    return looking
  }
  const capabilities = (): Promise<Capabilities> => looked ?? lookAgain()
  return buildApp({
    ...deps,
    tokens: fleet.tokens,
    sessions: fleet.sessions,
    events: fleet.events,
    routes(app, { streams, access, metrics }) {
      measureFleet(metrics, fleet)
      agentRoutes(app, { fleet, capabilities, projects, credentials })
      const giving = givingTo({ fleet, capabilities, maxPromptBytes })
      jobRoutes(app, { fleet, giving, streams })
      messageRoutes(app, { fleet, giving })
      terminalRoutes(app, { fleet, streams })
      scheduleRoutes(app, { fleet, giving })
      memoryRoutes(app, fleet)
      leaseRoutes(app, { fleet, capabilities })
      app.addHook('onClose', async () => stopEnds())
      const stopEnds = fleet.onLeaseEnd(({ token }) => access.streams.endOf(`token:${token}`))
      hookRoutes(app, { fleet, giving })
      webhookRoutes(app, fleet)
      const discord = startDiscord({
        ...{ fleet, audit, access: agentAccess({ fleet, giving, command, questions }), now: () => Date.now() },
        warn: (message, about) => deps.log.warn(about, message),
        ...(discordApi === undefined ? {} : { api: discordApi }),
      })
      app.addHook('onClose', () => discord[Symbol.asyncDispose]())
      discordRoutes(app, fleet, discord)
      usageRoutes(app, fleet)
      changeRoutes(app, { fleet, command })
      inboxRoutes(app, { fleet, questions })
      approvalRoutes(app, { command, questions })
      vaultRoutes(app, command, access)
      auditRoutes(app, { command, directory: auditDirectory })
      contestRoutes(app, { ...contests, command })
      suiteRoutes(app, { ...contests, command })
      guaranteeRoutes(app, command)
      serverRoutes(app, fleet, {
        ...facts,
        version: deps.version,
        projects: projects.allowed,
        contests: contests.directories.allowed,
      })
      if (page !== undefined) pageRoutes(app, page)
      doingRoutes(app, fleet)
      fleetRoutes(app, { capabilities, lookAgain })
    },
  })
}

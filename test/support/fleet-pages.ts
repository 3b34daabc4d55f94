import { expect } from 'vitest'
import { openBrowser, type TestBrowser } from './browser.ts'
import type { Stage } from './cli.ts'
import { type FleetServer, startFleet } from './fleet-server.ts'

/** The pages of a real server whose agents are commands. */
export interface FleetPages extends AsyncDisposable {
  readonly fleet: FleetServer
  readonly browser: TestBrowser
  /** Creates an agent that runs a shell script. */
  command(name: string, script: string, more?: Readonly<Record<string, unknown>>): Promise<void>
  /** Gives an agent a job, and returns the id of the job. */
  give(agent: string): Promise<string>
}

/** `envOf`: returns the environment of the server, of the stage's. */
export async function openFleetPages(envOf?: (env: Stage['env']) => Stage['env']): Promise<FleetPages> {
  const fleet = await startFleet('user', [], envOf)
  const browser = await openBrowser(fleet)
  return {
    fleet,
    browser,
    async command(name, script, more = {}) {
      const manifest = { name, agent: 'command', command: ['sh', '-c', script], egress: { policy: 'off' }, ...more }
      const { error } = await fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
      expect(error).toBeUndefined()
    },
    async give(agent) {
      const { data } = await fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt: `work for ${agent}` } })
      return data?.id ?? ''
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await fleet[Symbol.asyncDispose]()
    },
  }
}

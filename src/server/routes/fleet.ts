import { type Capabilities, capabilitiesSchema } from '../../fleet/machine/capabilities.ts'
import type { App } from '../deps.ts'

export interface FleetRoutes {
  readonly capabilities: () => Promise<Capabilities>
  /** Repeats the check. */
  readonly lookAgain: () => Promise<Capabilities>
}

/** Adds the routes for what this machine can enforce. */
export function fleetRoutes(app: App, { capabilities, lookAgain }: FleetRoutes): void {
  app.get(
    '/api/v1/capabilities',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getCapabilities',
        summary: 'What this machine can enforce, as of the last look.',
        response: { 200: capabilitiesSchema },
      },
    },
    capabilities,
  )
  app.post(
    '/api/v1/capabilities',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'lookAgain',
        summary: 'Looks again what this machine can enforce: a real cell is started.',
        response: { 200: capabilitiesSchema },
      },
    },
    lookAgain,
  )
}

import { type Capabilities, capabilitiesSchema } from '../../fleet/machine/capabilities.ts'
import type { App } from '../server-deps.ts'

export interface FleetRoutes {
  readonly capabilities: () => Promise<Capabilities>
  /** Checks again which restrictions this machine can enforce. */
  readonly lookAgain: () => Promise<Capabilities>
}

/** Adds the routes for the restrictions that this machine can enforce. */
export function fleetRoutes(app: App, { capabilities, lookAgain }: FleetRoutes): void {
  app.get(
    '/api/v1/capabilities',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getCapabilities',
        summary: 'Returns what this machine can enforce, from the last check.',
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
        summary: 'Checks again what this machine can enforce, by starting a real cell.',
        response: { 200: capabilitiesSchema },
      },
    },
    lookAgain,
  )
}

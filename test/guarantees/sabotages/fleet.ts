import { changedSource } from './change-source.ts'
import type { Sabotage } from './sabotage.ts'

export const fleetSabotages: readonly Sabotage[] = [
  {
    id: 'unapproved-manifests-not-used',
    without: 'the question whether anything was not agreed to',
    egress: 'off',
    evidence: /worked with a manifest of an operator/,
    nodeOptions: changedSource('server/routes/agent-routes.ts', "caller.role === 'owner' ||", "caller.role === 'operator' ||"),
    break: () => undefined,
  },
  {
    id: 'unapproved-manifests-not-used',
    without: 'the approval in what a job needs to start',
    egress: 'off',
    evidence: /a new agent started a job/,
    nodeOptions: changedSource('fleet/agents/worker.ts', '      agent.isApproved &&\n', ''),
    break: () => undefined,
  },
  {
    id: 'unapproved-manifests-not-used',
    without: 'the role of an owner for an approval',
    egress: 'off',
    evidence: /an operator approved a manifest|worked with a manifest|a new agent started a job/,
    nodeOptions: changedSource(
      'server/routes/agent-routes.ts',
      "config: { role: 'owner' },\n      schema: {\n        operationId: 'approveAgent'",
      "config: { role: 'operator' },\n      schema: {\n        operationId: 'approveAgent'",
    ),
    break: () => undefined,
  },
  {
    id: 'paused-fleet-starts-nothing',
    without: 'the pause in what a job needs to start',
    egress: 'off',
    evidence: /a paused fleet started/,
    nodeOptions: changedSource('fleet/fleet-work.ts', 'stopping || store.pause.now()?.jobs === true', 'stopping'),
    break: () => undefined,
  },
  {
    id: 'paused-fleet-starts-nothing',
    without: 'the pause at deliveries of hooks',
    egress: 'off',
    evidence: /accepted a delivery/,
    nodeOptions: changedSource('server/routes/hook-routes.ts', 'if (fleet.paused() !== null) {', 'if (fleet.paused() === undefined) {'),
    break: () => undefined,
  },
]

import type * as Environment from '../../../src/cell/plan/environment.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const environmentSabotages: readonly Sabotage[] = [
  {
    id: 'environment-scrubbed',
    without: 'the allowlist of variables',
    evidence: /PADDOCK_VERIFY_TOKEN/,
    break: () =>
      replace<typeof Environment>('cell/plan/environment.ts', ({ planEnvironment }) => ({
        planEnvironment: (spec, machine, identity, filesystem) => ({
          ...machine.env,
          ...planEnvironment(spec, machine, identity, filesystem),
        }),
      })),
  },
]

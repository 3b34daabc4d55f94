import type * as Environment from '../../../src/cell/environment.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const environmentSabotages: readonly Sabotage[] = [
  {
    id: 'environment-scrubbed',
    without: 'the allowlist of variables',
    evidence: /PADDOCK_VERIFY_TOKEN/,
    break: () =>
      replace<typeof Environment>('cell/environment.ts', ({ planEnvironment }) => ({
        planEnvironment: (spec, machine, identity, filesystem) => ({
          ...machine.env,
          ...planEnvironment(spec, machine, identity, filesystem),
        }),
      })),
  },
]

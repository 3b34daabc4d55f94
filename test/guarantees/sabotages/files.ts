import path from 'node:path'
import type * as Filesystem from '../../../src/cell/filesystem.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const filesSabotages: readonly Sabotage[] = [
  {
    id: 'host-files-absent',
    without: 'the allowlist of mounts',
    break: () =>
      replace<typeof Filesystem>('cell/filesystem.ts', ({ planFilesystem }) => ({
        planFilesystem: (spec, ...rest) =>
          planFilesystem(spec, ...rest).flatMap((each) => {
            const around = path.dirname(spec.project ?? '/')
            return each.kind === 'bind' && each.target === spec.project
              ? [{ kind: 'bind', source: around, target: around, access: 'ro', reason: 'user' } as const, each]
              : [each]
          }),
      })),
  },
]

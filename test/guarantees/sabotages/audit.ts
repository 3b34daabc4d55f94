import path from 'node:path'
import type * as Line from '../../../src/audit/line.ts'
import type * as Filesystem from '../../../src/cell/plan/filesystem.ts'
import type * as Launch from '../../../src/cell/run/launch.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const auditSabotages: readonly Sabotage[] = [
  {
    id: 'cells-recorded',
    without: 'an audit sink for cells',
    evidence: /not in the audit log/,
    break: () =>
      replace<typeof Launch>('cell/run/launch.ts', ({ cellLauncher }) => ({
        cellLauncher: (deps) => cellLauncher({ ...deps, audit: () => undefined }),
      })),
  },
  {
    id: 'log-out-of-reach',
    without: 'the allowlist of mounts',
    evidence: /is in the cell/,
    break: () =>
      replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
        planFilesystem: (spec, ...rest) =>
          planFilesystem(spec, ...rest).flatMap((each) => {
            const around = path.dirname(spec.project ?? '/')
            return each.kind === 'bind' && each.target === spec.project
              ? [{ kind: 'bind', source: around, target: around, access: 'ro', reason: 'user' } as const, each]
              : [each]
          }),
      })),
  },
  {
    id: 'lines-not-forged',
    without: 'JSON escapes',
    evidence: /control character|made up|not intact/,
    break: () =>
      replace<typeof Line>('audit/line.ts', ({ bodyOf }) => ({
        bodyOf: (event) =>
          bodyOf(event)
            .replace(/\\u001b/g, '\u001b')
            .replaceAll('\\n', '\n')
            .replaceAll('\\"', '"'),
      })),
  },
  {
    id: 'tampering-found',
    without: 'the comparison of hashes',
    evidence: /a value changed/,
    break: () =>
      replace<typeof Line>('audit/line.ts', () => ({
        readLine: (bytes: Buffer) => {
          try {
            return JSON.parse(bytes.toString())
          } catch {
            return null
          }
        },
      })),
  },
]

import type * as Addresses from '../../../src/egress/addresses.ts'
import type * as Allowlist from '../../../src/egress/allowlist.ts'
import type * as HttpGuard from '../../../src/egress/http-guard.ts'
import type * as HttpStream from '../../../src/egress/http-stream.ts'
import type * as Opening from '../../../src/egress/opening.ts'
import { replace, type Sabotage } from './sabotage.ts'

const everyAddressIsPublic = (): void =>
  replace<typeof Addresses>('egress/addresses.ts', () => ({ classifyAddress: () => ({ internal: false, kind: 'public' }) }))

export const namesSabotages: readonly Sabotage[] = [
  {
    id: 'denied-names-not-resolved',
    without: 'the allowlist of names',
    evidence: /answered/,
    break: () =>
      replace<typeof Allowlist>('egress/allowlist.ts', ({ Allowlist: Real }) => ({
        Allowlist: class extends Real {
          override knows(): boolean {
            return true
          }
        },
      })),
  },
  { id: 'internal-names-refused', without: 'the classes of addresses', evidence: /^dialled/, break: everyAddressIsPublic },
  { id: 'rebinding-refused', without: 'the classes of addresses', evidence: /^dialled/, break: everyAddressIsPublic },
  {
    id: 'server-name-must-match',
    without: 'the reading of the ClientHello',
    evidence: /arrived/,
    break: () =>
      replace<typeof Opening>('egress/opening.ts', ({ OpeningJudge: Real }) => ({
        OpeningJudge: class extends Real {
          override push(): ReturnType<InstanceType<typeof Real>['push']> {
            return { kind: 'open', opening: 'opaque' }
          }
        },
      })),
  },
  {
    id: 'host-header-must-match',
    without: 'the comparison of Host',
    evidence: /arrived/,
    break: () => {
      replace<typeof HttpStream>('egress/http-stream.ts', () => ({ refuseHead: () => null }))
      replace<typeof HttpGuard>('egress/http-guard.ts', ({ HttpGuard: Real }) => ({
        HttpGuard: class extends Real {
          override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, data: Buffer) => void): void {
            done(null, chunk)
          }
        },
      }))
    },
  },
]

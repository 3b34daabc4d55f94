import type * as Opening from '../../../src/egress/connection/opening.ts'
import type * as HttpGuard from '../../../src/egress/http/http-guard.ts'
import type * as HttpStream from '../../../src/egress/http/http-stream.ts'
import type * as Addresses from '../../../src/egress/policy/addresses.ts'
import type * as Allowlist from '../../../src/egress/policy/allowlist.ts'
import { replace, type Sabotage } from './sabotage.ts'

const everyAddressIsPublic = (): void =>
  replace<typeof Addresses>('egress/policy/addresses.ts', () => ({ classifyAddress: () => ({ internal: false, kind: 'public' }) }))

export const namesSabotages: readonly Sabotage[] = [
  {
    id: 'denied-names-not-resolved',
    without: 'the allowlist of host names',
    evidence: /answered/,
    break: () =>
      replace<typeof Allowlist>('egress/policy/allowlist.ts', ({ Allowlist: Real }) => ({
        Allowlist: class extends Real {
          override knows(): boolean {
            return true
          }
        },
      })),
  },
  { id: 'internal-names-refused', without: 'the address classes', evidence: /^connected to/, break: everyAddressIsPublic },
  { id: 'rebinding-refused', without: 'the address classes', evidence: /^connected to/, break: everyAddressIsPublic },
  {
    id: 'server-name-must-match',
    without: 'the check of the ClientHello',
    evidence: /arrived/,
    break: () =>
      replace<typeof Opening>('egress/connection/opening.ts', ({ OpeningJudge: Real }) => ({
        OpeningJudge: class extends Real {
          override push(): ReturnType<InstanceType<typeof Real>['push']> {
            return { kind: 'open', opening: 'opaque' }
          }
        },
      })),
  },
  {
    id: 'host-header-must-match',
    without: 'the check of the Host header',
    evidence: /arrived/,
    break: () => {
      replace<typeof HttpStream>('egress/http/http-stream.ts', () => ({ refuseHead: () => null }))
      replace<typeof HttpGuard>('egress/http/http-guard.ts', ({ HttpGuard: Real }) => ({
        HttpGuard: class extends Real {
          override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, data: Buffer) => void): void {
            done(null, chunk)
          }
        },
      }))
    },
  },
]

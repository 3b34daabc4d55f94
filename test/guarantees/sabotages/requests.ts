import type * as Approver from '../../../src/egress/approvals/approver.ts'
import type * as Asked from '../../../src/egress/approvals/asked.ts'
import type * as HttpStream from '../../../src/egress/http/http-stream.ts'
import type * as InboundH1 from '../../../src/egress/inspect/inbound-h1.ts'
import type * as Authority from '../../../src/egress/inspect/tls/authority.ts'
import type * as Allowlist from '../../../src/egress/policy/allowlist.ts'
import type * as Path from '../../../src/egress/requests/path.ts'
import type * as Rules from '../../../src/egress/requests/request-rules.ts'
import { replace, type Sabotage } from './sabotage.ts'

const vouchesForAll = (): void =>
  replace<typeof Authority>('egress/inspect/tls/authority.ts', ({ makeAuthority }) => ({ makeAuthority: () => makeAuthority(['*']) }))

export const requestsSabotages: readonly Sabotage[] = [
  {
    id: 'denied-requests-never-arrive',
    without: 'the alternative readings of a path',
    evidence: /denied requests arrived/,
    break: () => replace<typeof Path>('egress/requests/path.ts', () => ({ readingsOf: (path) => [path] })),
  },
  {
    id: 'denied-requests-never-arrive',
    without: 'the method and path rules',
    evidence: /denied requests arrived/,
    break: () =>
      replace<typeof Rules>('egress/requests/request-rules.ts', () => ({ judgeOf: () => () => ({ action: 'allow', rule: null }) })),
  },
  {
    id: 'ambiguous-requests-refused',
    without: 'the strict request parser and the check of hosts behind it',
    evidence: /ambiguous requests arrived/,
    break: () => {
      replace<typeof HttpStream>('egress/http/http-stream.ts', ({ HttpStream: Real }) => ({
        HttpStream: class extends Real {
          override feed(chunk: Buffer): ReturnType<InstanceType<typeof Real>['feed']> {
            return { ...super.feed(Buffer.alloc(0)), forward: [chunk] }
          }
        },
      }))
      replace<typeof InboundH1>('egress/inspect/inbound-h1.ts', ({ inboundH1 }) => ({
        inboundH1: (...given) => {
          const request = inboundH1(...given)
          return { ...request, authorities: request.authorities.slice(0, 1) }
        },
      }))
    },
  },
  {
    id: 'uninspected-stays-encrypted',
    without: 'the selection of inspected hosts',
    evidence: /a certificate other than its own/,
    break: () => {
      vouchesForAll()
      replace<typeof Allowlist>('egress/policy/allowlist.ts', ({ Allowlist: Real }) => ({
        Allowlist: class extends Real {
          override find(name: string, port: number): ReturnType<InstanceType<typeof Real>['find']> {
            const entry = super.find(name, port)
            return entry === null ? null : { ...entry, inspect: { rules: [], otherwise: 'allow' } }
          }
        },
      }))
    },
  },
  {
    id: 'authority-key-absent',
    without: 'separate files for key and certificate',
    evidence: /a private key is in .*ca\.pem/,
    break: () =>
      replace<typeof Authority>('egress/inspect/tls/authority.ts', ({ makeAuthority }) => ({
        makeAuthority: (patterns, ...rest) => {
          const made = makeAuthority(patterns, ...rest)
          return { ...made, certificate: `${made.certificate}${made.leaf(patterns[0] ?? '').key}` }
        },
      })),
  },
  { id: 'authority-constrained', without: 'the name constraint', evidence: /does not permit exactly/, break: vouchesForAll },
  {
    id: 'secrets-not-logged',
    without: 'the separation of path and query',
    evidence: /in the audit log/,
    break: () =>
      replace<typeof Path>('egress/requests/path.ts', ({ canonicalTarget }) => ({
        canonicalTarget: (target) => {
          const found = canonicalTarget(target)
          return found === null ? null : { path: found.path + found.query, query: '' }
        },
      })),
  },
  {
    id: 'no-answer-is-no',
    without: 'the wait for an approval',
    evidence: /arrived although/,
    break: () =>
      replace<typeof Approver>('egress/approvals/approver.ts', () => ({
        openApprovals: () => ({ approve: async () => ({ allowed: true, scope: 'once', by: 'time' }), close: () => undefined }),
      })),
  },
  {
    id: 'answer-fits-one-question',
    without: 'the method and path in the stored approval',
    evidence: /let through requests/,
    break: () => replace<typeof Asked>('egress/approvals/asked.ts', () => ({ keyOf: ({ host }) => host })),
  },
]

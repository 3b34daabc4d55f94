import type { AuditSink } from '../../audit/event.ts'
import type { Approver } from '../../egress/approvals/approval.ts'
import { type EgressGateway, openGateway } from '../../egress/cell-gateway.ts'
import type { Connect, UpstreamProxy } from '../../egress/connection/dial.ts'
import type { Resolver } from '../../egress/dns/resolver.ts'
import type { CellAuthority } from '../../egress/inspect/tls/authority.ts'
import type { OnDenied } from '../../egress/ledger.ts'
import type { OnModelCall } from '../../egress/model-calls.ts'
import type { OnEgressNotice } from '../../egress/notice.ts'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { HomeSide } from './home-side.ts'

/** The dependencies that the gateways of all cells share. */
export interface GatewayMeans {
  readonly resolver: Resolver
  /** Resolves names that cells choose under `public` and `open`. Default: `resolver`. */
  readonly realResolver?: Resolver
  /** Connects the gateway to an address that it has judged. Default: TCP. */
  readonly connect?: Connect
  /** The proxy through which this machine reaches other hosts. Default: connections are direct. */
  readonly upstream?: UpstreamProxy | null
  readonly audit: AuditSink
  /** Answers questions of cells. If absent, every answer is no. */
  readonly approve?: Approver
  /** Additional trusted root certificates (PEM) for inspected hosts, besides the system's. */
  readonly extraRoots?: readonly string[]
  /** Called with what the user should know at once about the network of a cell. */
  readonly onNotice?: OnEgressNotice
}

/** Creates the gateway of a cell whose connections are judged at home. */
export function forwardingGateway(
  deps: GatewayMeans,
  cell: string,
  { egress: policy, name }: CellPlan,
  home: HomeSide,
  onDenied: OnDenied,
): EgressGateway {
  const both: OnDenied = (denied) => {
    onDenied(denied)
    home.denied(denied)
  }
  const { resolver, audit } = deps
  return openGateway({ cell, policy, resolver, audit, cellName: name, onDenied: both, forward: home.forward })
}

/** Creates the gateway of one cell from its plan. `authority`: null if the plan inspects no host. */
export function gatewayFor(
  deps: GatewayMeans,
  cell: string,
  planned: Pick<CellPlan, 'egress' | 'name'>,
  credentials: readonly CellCredential[],
  authority: CellAuthority | null,
  { onDenied, onModelCall }: { readonly onDenied: OnDenied; readonly onModelCall: OnModelCall | undefined },
): EgressGateway {
  return openGateway({
    cell,
    policy: planned.egress,
    resolver: deps.resolver,
    audit: deps.audit,
    cellName: planned.name,
    onDenied,
    ...(onModelCall === undefined ? {} : { onModelCall }),
    ...(deps.approve === undefined ? {} : { approve: deps.approve }),
    ...(deps.onNotice === undefined ? {} : { onNotice: deps.onNotice }),
    ...(deps.connect === undefined ? {} : { connect: deps.connect }),
    ...(deps.upstream === undefined ? {} : { upstream: deps.upstream }),
    ...(deps.realResolver === undefined ? {} : { realResolver: deps.realResolver }),
    credentials,
    ...(authority === null ? {} : { authority }),
    ...(deps.extraRoots === undefined ? {} : { extraRoots: deps.extraRoots }),
  })
}

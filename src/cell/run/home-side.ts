import type { ClientStream } from '../../egress/connection/client-stream.ts'
import type { OnDenied } from '../../egress/ledger.ts'
import type { CellPlan } from '../plan/plan.ts'

/** The machine for which this one runs a cell: it has the cell's gateway, the key of its authority and its credentials. */
export interface HomeSide {
  /** The path of the user's home directory there, where the cell has its own: the spec names files in it. */
  readonly userHome: string
  /** The certificate (PEM) of the cell's authority; null: no host is inspected. */
  readonly certificate: string | null
  /** Called with the id and the plan of the cell before it starts. Rejects if home does not want it. */
  readonly planned: (id: string, plan: CellPlan) => Promise<void>
  /** Called with what is denied here and never reaches home: names that are not in the policy, and addresses. */
  readonly denied: OnDenied
  /** Returns a stream to home for a connection of the cell. */
  readonly forward: (to: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<ClientStream>
}

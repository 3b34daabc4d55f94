import type { Approver } from './approvals/approval.ts'
import type { HeldBytes } from './connection/held-bytes.ts'
import type { EgressLedger } from './ledger.ts'
import type { CredentialKeeper } from './placeholder/keeper.ts'

/** What the parts of a gateway share about the cell that they serve. */
export interface ServedCell {
  /** The cell's id. Questions contain it and the name of the cell's spec. */
  readonly cell: string
  readonly cellName: string
  /** Answers the questions of rules and entries. If absent, every answer is no. */
  readonly approve: Approver | undefined
  readonly keeper: CredentialKeeper
  readonly ledger: EgressLedger
  /** The cell's budget for waiting bytes. */
  readonly held: HeldBytes
}

/** What a human is asked before something leaves a cell. Shown as it is, so it holds no control characters. */
export interface ApprovalQuestion {
  readonly cell: string
  /** The name of the cell's spec: `run claude`. */
  readonly cellName: string
  readonly host: string
  readonly port: number
  /** Null: a whole connection is in question, not one request. */
  readonly request: AskedRequest | null
  /** Where the rule that asks comes from: `user`, or the name of a rule set. */
  readonly source: string
}

/** One request as it would be sent, nothing cut. */
export interface AskedRequest {
  /** Every method that the request could be taken for, its own first, joined by `+`: `POST+DELETE`. */
  readonly method: string
  readonly path: string
  /** With its `?`. Absent or empty if there is no query. An answer is valid only for this exact query. It is never logged. */
  readonly query?: string
}

export interface ApprovalAnswer {
  readonly allowed: boolean
  /** How far it reaches: this once, every same question of this cell, or of every cell from now on. */
  readonly scope: 'once' | 'cell' | 'always'
  /** `time`: nobody answered, which is a no. `room`: too many questions were open. `unreadable`: longer than a human reads. */
  readonly by: 'terminal' | 'command' | 'remembered' | 'time' | 'room' | 'unreadable' | 'end'
}

/**
 * Holds a question until there is an answer. Never rejects: no answer in time, an aborted signal, or a failure is a no.
 * Every question and answer is in the audit log (`approval.asked`, `approval.answered`).
 */
export type Approver = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer>

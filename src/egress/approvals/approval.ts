/** A question to a human before something leaves a cell. It is shown unescaped, so it must not contain control characters. */
export interface ApprovalQuestion {
  readonly cell: string
  /** The name of the cell's spec, such as `run claude`. */
  readonly cellName: string
  readonly host: string
  readonly port: number
  /** The request, or null if the question is about a whole connection. */
  readonly request: AskedRequest | null
  /** The origin of the rule that asks: `user`, or the name of a rule set. */
  readonly source: string
}

/** One request exactly as it would be sent, with nothing cut. */
export interface AskedRequest {
  /** Every method that a server could read in the request, joined by `+`, starting with the request's own method: `POST+DELETE`. */
  readonly method: string
  readonly path: string
  /** The query with its `?`. Absent or empty if there is no query. An answer is valid only for this exact query. Never logged. */
  readonly query?: string
}

export interface ApprovalAnswer {
  readonly allowed: boolean
  /**
   * The scope of the answer: only this request, every identical question of this cell, or every identical question of any cell from now on.
   */
  readonly scope: 'once' | 'cell' | 'always'
  /** `time`: nobody answered, which counts as no. `room`: too many questions were open. `unreadable`: too long for a human to review. */
  readonly by: 'terminal' | 'command' | 'remembered' | 'time' | 'room' | 'unreadable' | 'end'
}

/**
 * Waits until a question is answered. Never rejects: a timeout, an aborted signal or a failure counts as no.
 * Every question and answer is written to the audit log (`approval.asked`, `approval.answered`).
 */
export type Approver = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer>

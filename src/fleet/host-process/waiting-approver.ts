import type { Approver } from '../../egress/approvals/approval.ts'

/** Milliseconds after which a question counts as waiting for a human. Remembered answers arrive sooner. */
const momentMs = 250

/** Returns an approver that also reports when the first question starts to wait for a human, and when the last one stops waiting. */
export function reportingApprover(approve: Approver, onWaiting: (isWaiting: boolean) => void): Approver {
  let waiting = 0
  return async (question, signal) => {
    let counts = false
    const timer = setTimeout(() => {
      counts = true
      if (waiting++ === 0) onWaiting(true)
    }, momentMs)
    try {
      return await approve(question, signal)
    } finally {
      clearTimeout(timer)
      if (counts && --waiting === 0) onWaiting(false)
    }
  }
}

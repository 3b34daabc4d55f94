/** The kinds of failures in which a run did not finish. They are never the fault of the work and never shown as a bad score. */
export const failureKinds = [
  'rate-limited',
  'login-needed',
  'endpoint-failed',
  'out-of-memory',
  'out-of-time',
  'silent',
  'start-failed',
  'out-of-disk',
  'output-flood',
  'out-of-budget',
  'cancelled',
] as const

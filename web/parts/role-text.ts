/** The rights of each role. */
export const roleWords = {
  owner: 'everything, including secrets, tokens, the audit log and leases',
  operator: 'runs jobs, answers, applies changes, and edits agents',
  viewer: 'can only read',
  borrower: 'only what its lease allows',
} as const

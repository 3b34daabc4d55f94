/** The rights of each role. */
export const roleWords = {
  owner: 'everything: also secrets, tokens, the audit log and lending agents',
  operator: 'gives work, answers, applies, and changes agents',
  viewer: 'only reads',
  borrower: 'only what its lease says',
} as const

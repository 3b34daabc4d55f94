/** The name under which you judge. No participant or judge of contest.yaml has this name. */
export const you = 'you'

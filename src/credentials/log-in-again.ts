/** A program with a login. */
export interface LoginProgram {
  /** The name of the program's agent: `claude`. */
  readonly agent: string
  /** The program's own login command, for messages: `claude /login`. */
  readonly command: string
}

/** Returns the fix for an unusable login. */
export function logInAgain({ agent, command }: LoginProgram, volume?: string): string {
  if (volume === undefined) return `Run: ${command}`
  return `Run: paddock login ${agent}${volume === 'default' ? '' : ` --volume ${volume}`}`
}

/** Returns the fix for a login that the agent's own program can still renew. */
export function letItRenew(program: LoginProgram): string {
  return `Start ${program.agent} once outside a cell, which renews its login. Otherwise, log in again: ${program.command}`
}

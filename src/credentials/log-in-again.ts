/** A program that logs in. */
export interface LoginProgram {
  /** The name of the agent whose program it is: `claude`. */
  readonly agent: string
  /** The program's own command that logs in, for people: `claude /login`. */
  readonly command: string
}

/** The fix for a login that is of no use. */
export function logInAgain({ agent, command }: LoginProgram, volume?: string): string {
  if (volume === undefined) return `Run: ${command}`
  return `Run: paddock login ${agent}${volume === 'default' ? '' : ` --volume ${volume}`}`
}

/** The fix if the agent's own program can still renew its login. */
export function letItRenew(program: LoginProgram): string {
  return `Start ${program.agent} once outside a cell, which renews its login. Otherwise, log in again: ${program.command}`
}

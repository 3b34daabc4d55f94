/** A program that logs in. */
export interface LoginProgram {
  /** The name of the agent whose program it is: `claude`. */
  readonly agent: string
  /** The program's own command that logs in, for people: `claude /login`. */
  readonly command: string
}

/** The fix for a login that is of no use. */
export function logInAgain({ agent, command }: LoginProgram, volume?: string): string {
  if (volume === undefined) return `log in again with: ${command}`
  return `log in again with: paddock login ${agent}${volume === 'default' ? '' : ` --volume ${volume}`}`
}

/** The fix if the agent's own program can still renew its login. */
export function letItRenew(program: LoginProgram): string {
  return `start ${program.agent} once outside of a cell, it renews its login itself; or ${logInAgain(program)}`
}

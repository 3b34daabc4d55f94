/** The text about a cell for the agent's own instructions, the same for every agent. The files are `cellFiles` of a plan. */
export const cellInstructions =
  'You run in a Paddock cell. /run/paddock/README.md says what you can write, which hosts you can reach, which files are protected, and how ' +
  'to ask for more. /run/paddock/denied.log lists what was denied. Read them before you work around a failure.'

/** Returns true if the user's own arguments contain one of these options, so that Paddock leaves its own out. */
export function hasOption(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((each) => names.some((name) => each === name || each.startsWith(`${name}=`)))
}

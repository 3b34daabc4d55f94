/*
 * The line that a cell server prints before anything else, so that home knows that nothing else answers.
 */

/** The format of everything that follows. */
const protocol = 1

/** Bytes of the longest greeting. */
export const longestGreeting = 256

/** Returns the greeting of a version of Paddock. */
export function greeting(version: string): string {
  return `paddock-cells ${protocol} ${version}\n`
}

/** Returns the version of Paddock in a greeting (without its line end); null: it is none, or one of another protocol. */
export function greetingOf(line: string): string | null {
  return /^paddock-cells 1 ([\w.+-]{1,64})\r?$/.exec(line)?.[1] ?? null
}

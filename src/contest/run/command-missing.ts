/** Exit codes of a shell or of Paddock's launcher for a command that cannot be run or was not found. */
const reasons: ReadonlyMap<number | null, string> = new Map([
  [126, 'exit code 126: a command could not be run'],
  [127, 'exit code 127: a command was not found'],
])

/** Returns why a check that exited with this code may never have run; null for other codes. */
export function commandMissing(exitCode: number | null): string | null {
  return reasons.get(exitCode) ?? null
}

/** Splits names at commas; empty if there is no option. */
export function names(option: string | undefined): string[] {
  return (option ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Splits names at commas. Empty if the option was not given. */
export function names(option: string | undefined): string[] {
  return (option ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

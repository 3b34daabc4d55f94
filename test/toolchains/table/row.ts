/** A small project and a script that builds, tests or runs it offline. */
export interface Row {
  readonly name: string
  /** The programs that it needs: names of PATH, absolute paths, or `npm:` and the name of a package in test/toolchains/programs. */
  readonly needs: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly script: string
  /** Parts of the output that differ from run to run. */
  readonly varies?: RegExp
  /** Produced files, by path, whose content differs from run to run. Only their names and modes are compared. */
  readonly byName?: RegExp
  /** Entries that the project contains only after a run in a cell, and why. */
  readonly differs?: { readonly reason: string; readonly adds: RegExp }
}

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
  /** True if the script makes files in a project that has none. A run that makes none is then an error. */
  readonly makesProject?: true
  /** Paths that are quarantined when the cell ends, because programs of the user would run or obey what is in them. */
  readonly quarantined?: readonly string[]
  /** The files of a repository outside of the project, `$REPOSITORY`, which a cell can read. */
  readonly repository?: Readonly<Record<string, string>>
  /** Why the script cannot run here. The test is then skipped with this reason. */
  readonly unavailable?: string
}

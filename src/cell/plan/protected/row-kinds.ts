/**
 * One row of a table of files that other programs of the host run or obey later. The reason names the tool.
 *
 * Names apply to any directory of a project and are separated by spaces. `/` in front: only at the root of the project. `/` at the end: a
 * directory with everything in it. `*`: any part of one name. `{a,b}`: both.
 */
export interface RunLaterRow {
  readonly names: string
  readonly why: string
  /**
   * - `inert`: as `protected`. With strict names, and for a directory of an installed tool, an entry that does not exist at the root is created
   *   there for the duration of the cell, without content that acts.
   * - `protected`: read-only if the entry exists when a cell starts. A new one is quarantined at the end.
   * - `unasked`: reported at the end. A tool obeys it without being asked, when it opens or enters the directory or does something else.
   * - `asked`: reported at the end. A tool runs or obeys it when the user asks for a build, a test, a deployment and the like.
   * - `script`: reported at the end, after all others.
   */
  readonly decision: 'inert' | 'protected' | 'unasked' | 'asked' | 'script'
  /** Content of the inert file, valid and without effect. */
  readonly inert?: string
  /** Signs that the tool is installed, separated by spaces: programs of PATH, and paths that start with `~/`. */
  readonly tool?: string
  /** True if entries of another kind with this name are harmless. */
  readonly onlyThisKind?: true
}

/** Returns a function that creates rows with this decision. */
export const as =
  (decision: RunLaterRow['decision'], more: Partial<RunLaterRow> = {}) =>
  (why: string, names: string): RunLaterRow => ({ names, why, decision, ...more })

/** Returns a row of names that a tool obeys at once, without asking, when it is running or starts. `tool`: signs that it is installed. */
export const inert = (why: string, names: string, tool = ''): RunLaterRow => ({ names, why, decision: 'inert', tool })
export const inertJson = as('inert', { inert: '{}\n' })
export const isProtected = as('protected')
export const isProtectedKind = as('protected', { onlyThisKind: true })
export const unasked = as('unasked')
export const asked = as('asked')

/** Returns the names of a row as separate strings. */
export function namesOf(row: RunLaterRow): readonly string[] {
  return row.names.split(' ').flatMap(expand)
}

function expand(name: string): readonly string[] {
  const [, before, choices, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(name) ?? []
  if (choices === undefined) return [name]
  return choices.split(',').flatMap((each) => expand(`${before}${each}${after}`))
}

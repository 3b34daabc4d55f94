import { isUtf8 } from 'node:buffer'

/** Returns bytes as text. Null if they are not UTF-8, so that two names are never mistaken for the same one. */
export function textOf(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

/** Returns the names of a path as one string with `/` between them. Null if one of them is not UTF-8. */
export function pathOf(names: readonly Buffer[]): string | null {
  const texts = names.map(textOf)
  return texts.includes(null) ? null : texts.join('/')
}

/** Returns the names of a path as one string for display, whatever their bytes. */
export function shownName(names: readonly Buffer[]): string {
  return names.map((each) => textOf(each) ?? each.toString('latin1')).join('/')
}

/** Returns true for a name that git treats as its own directory, also on case-insensitive file systems. */
export function isGitName(name: string): boolean {
  return name.toLowerCase() === '.git'
}

/** Returns true for a path that stays below a project's root and outside git directories. An index may contain other paths. */
export function isPlainPath(file: string): boolean {
  return file.split('/').every((each) => each !== '' && each !== '.' && each !== '..' && !isGitName(each))
}

/** Returns the directories above a path, nearest first, without the root: for `a/b/c`, `a/b` and `a`. */
export function parentsOf(file: string): string[] {
  const parents: string[] = []
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) parents.push(file.slice(0, at))
  return parents
}

/** Returns the directory of a path; '' for the project itself. */
export function directoryOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** Returns true if a path is one of `places`, or below one of them. */
export function isAtOrBelow(file: string, places: ReadonlySet<string>): boolean {
  return places.has('') || places.has(file) || parentsOf(file).some((each) => places.has(each))
}

import { PaddockError } from '../base/errors.ts'

/**
 * A pattern for names that become directories. Such names cannot leave their parent, be hidden, or collide on case-insensitive file
 * systems.
 */
export const safeNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/

export const safeNameRule = 'lower-case letters, digits and hyphens, at most 63, starting with a letter or digit'

export function isSafeName(name: string): boolean {
  return safeNamePattern.test(name)
}

/** Returns the name. Throws BAD_INPUT with `place` (for example `participants[0].name`) if the name is not valid. */
export function safeName(name: string, place: string): string {
  if (isSafeName(name)) return name
  throw new PaddockError('BAD_INPUT', `${place}: ${JSON.stringify(name)} cannot be used as a name.`, { hint: `Use ${safeNameRule}` })
}

import { PaddockError } from '../../base/errors.ts'

export const secretNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const secretNameRule = 'letters, digits, dots, hyphens and underscores, at most 100, starting with a letter or digit'

/** Returns a valid name of a secret. @throws PaddockError BAD_INPUT */
export function checkedName(name: string): string {
  if (secretNamePattern.test(name)) return name
  throw new PaddockError('BAD_INPUT', `${JSON.stringify(name.slice(0, 100))} cannot be the name of a secret.`, {
    hint: `Use ${secretNameRule}`,
  })
}

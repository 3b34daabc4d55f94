import type { Fields } from '../requests/fields.ts'

/**
 * Returns the fields of an answer with its links to further pages by the repository's name, as in the request. GitHub links to
 * `/repositories/NUMBER`, for which no token is used, because the number does not show which repository it is.
 * @param path canonical path of the request
 */
export function namedLinks(fields: Fields, path: string): Fields {
  const named = /^((?:\/api\/v3)?)\/repos(\/[^/]+\/[^/]+)\//.exec(path)
  if (named === null) return fields
  const [, base = '', repository = ''] = named
  const numbered = new RegExp(`(<https://[^/>]+${base}/)repositories/\\d+(?=/)`, 'g')
  return fields.map(([name, value]) => [
    name,
    name.toLowerCase() === 'link' ? value.replace(numbered, (_, at: string) => `${at}repos${repository}`) : value,
  ])
}

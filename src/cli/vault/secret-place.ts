import { PaddockError } from '../../base/errors.ts'
import type { SecretPlace } from '../../credentials/vault/vault-schema.ts'

/** Returns a place in the form that `placeOf` parses. */
export function placeText(place: SecretPlace): string {
  if (place.in === 'header') return `header:${place.name}${place.scheme === undefined ? '' : `=${place.scheme}`}`
  return place.in === 'query' ? `query:${place.name}` : `basic:${place.user}`
}

/** Parses `header:x-api-key`, `header:authorization=Bearer`, `query:key` or `basic:user`. @throws PaddockError `BAD_INPUT` */
export function placeOf(text: string): SecretPlace {
  const [, kind, rest = ''] = /^(header|query|basic):?(.*)$/s.exec(text) ?? []
  const [name = '', scheme] = rest.split('=')
  if (kind === 'header') return { in: 'header', name, ...(scheme === undefined ? {} : { scheme }) }
  if (kind === 'query') return { in: 'query', name: rest }
  if (kind === 'basic') return { in: 'basic', user: rest }
  throw new PaddockError('BAD_INPUT', `--place ${text}: this is not a place in a request.`, {
    hint: 'Give header:x-api-key, header:authorization=Bearer, query:key or basic:user',
  })
}

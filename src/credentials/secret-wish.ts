import { PaddockError } from '../base/errors.ts'
import { parseHostPattern } from '../egress/policy/host-pattern.ts'
import { parseSecretRef, type SecretRef } from './secret-ref.ts'

/** A variable of the cell that contains a placeholder for a secret. */
export interface SecretWish {
  readonly name: string
  readonly ref: SecretRef
  /** The hosts that the user named; empty: those of the secret's store, or of the adapter. */
  readonly hosts: readonly string[]
  /** The option or the key of a file, for messages. */
  readonly place: string
}

/**
 * Parses `NAME=REF[@HOST,…]`.
 * @throws PaddockError BAD_INPUT
 */
export function parseSecretWish(text: string, place: string): SecretWish {
  const parts = /^([A-Za-z_][A-Za-z0-9_]*)=([^@]*)(?:@(.+))?$/.exec(text)
  if (parts === null)
    throw new PaddockError('BAD_INPUT', `${place}: this is not NAME=REF.`, {
      hint: 'For example --secret GITHUB_TOKEN=vault:github@api.github.com',
    })
  const hosts = (parts[3] ?? '').split(',').filter((each) => each !== '')
  return {
    name: parts[1] ?? '',
    ref: parseSecretRef(parts[2] ?? '', place),
    hosts: hosts.map((each) => parseHostPattern(each, place)),
    place,
  }
}

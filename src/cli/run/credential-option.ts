import { PaddockError } from '../../errors.ts'
import { type CredentialWay, credentialModes, parseCredentialWay } from '../../run/credential-way.ts'

/** What `--credentials` says; null: nothing was said. Throws BAD_INPUT. */
export function wayOf(text: string | undefined): CredentialWay | null {
  const found = text === undefined ? null : parseCredentialWay(text)
  if (text === undefined || found !== null) return found
  throw new PaddockError('BAD_INPUT', `--credentials ${text}: there is no such way.`, {
    hint: `The ways are ${credentialModes.join(', ')}, volume:NAME.`,
  })
}

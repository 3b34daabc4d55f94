import { safeNamePattern } from '../files/safe-name.ts'

/**
 * The way a credential reaches an agent. `placeholder`: the cell has a placeholder, and the gateway has the credential. `endpoint`: the
 * same, but the cell reaches the model through an endpoint of the gateway itself, so TLS is not intercepted. `snapshot`: the cell sees a
 * read-only copy. `volume`: the cell has the login of a `paddock login` volume, writable, one cell at a time. `none`: the cell gets no
 * credential of this machine.
 */
export const credentialModes = ['placeholder', 'endpoint', 'snapshot', 'volume', 'none'] as const
export type CredentialMode = (typeof credentialModes)[number]

export interface CredentialWay {
  readonly mode: CredentialMode
  /** The name of the volume; null: the default one. */
  readonly volume: string | null
}

/** The syntax of a named volume. */
export const namedVolume = /^volume:[a-z0-9][a-z0-9-]{0,62}$/

/** Parses a mode, or `volume:NAME`. Null if it is neither. */
export function parseCredentialWay(text: string): CredentialWay | null {
  const mode = credentialModes.find((each) => each === text)
  if (mode !== undefined) return { mode, volume: null }
  const name = text.startsWith('volume:') ? text.slice('volume:'.length) : ''
  return safeNamePattern.test(name) ? { mode: 'volume', volume: name } : null
}

import { safeNamePattern } from '../files/safe-name.ts'

/**
 * How a credential reaches an agent. `placeholder`: the cell holds a placeholder, the gateway the credential. `endpoint`: the same, and the
 * cell reaches the model by an endpoint of the gateway itself, so no TLS has to be ended. `snapshot`: the cell sees a copy, read-only.
 * `volume`: the cell has the login of a volume of `paddock login`, writable, one cell at a time. `none`: the cell gets no credential of this
 * machine.
 */
export const credentialModes = ['placeholder', 'endpoint', 'snapshot', 'volume', 'none'] as const
export type CredentialMode = (typeof credentialModes)[number]

export interface CredentialWay {
  readonly mode: CredentialMode
  /** The name of the volume; null: the default one. */
  readonly volume: string | null
}

/** A named volume, as users write it. */
export const namedVolume = /^volume:[a-z0-9][a-z0-9-]{0,62}$/

/** Reads a mode, or `volume:NAME`. Null if it is neither. */
export function parseCredentialWay(text: string): CredentialWay | null {
  const mode = credentialModes.find((each) => each === text)
  if (mode !== undefined) return { mode, volume: null }
  const name = text.startsWith('volume:') ? text.slice('volume:'.length) : ''
  return safeNamePattern.test(name) ? { mode: 'volume', volume: name } : null
}

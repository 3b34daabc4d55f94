import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { Encrypter, type Identity, identityToRecipient, type Recipient, Stanza } from 'age-encryption'
import { Secret } from '../../secrets/secret.ts'

/** A key that locks and unlocks an age file. */
export interface AgeKey extends Disposable {
  readonly kind: 'passphrase' | 'keyring' | 'recipient'
  recipient(): Promise<Recipient | string>
  /** Returns the identities that decrypt; empty if the key can only encrypt. */
  identities(): readonly (Identity | string)[]
}

/** The default of age itself: 256 MiB and about half a second of one processor for each attempt. */
export const defaultWorkFactor = 18
/** The highest accepted factor. A higher one in a file would make Paddock use more than a gigabyte of memory. */
export const maxWorkFactor = 20

/** An error for a file that requires more work than Paddock does for an unknown file. */
export class TooMuchWork extends Error {}

/**
 * A passphrase as age uses it (C2SP age.md, "The scrypt recipient type"). Node derives the key off the main thread, twice as
 * fast as JavaScript would. The key derived for the last stanza read or written is kept, so that reading the same file again
 * costs nothing. Every file that is written has its own salt.
 */
export class PassphraseKey implements AgeKey, Identity, Recipient {
  readonly kind = 'passphrase'
  readonly #passphrase: Secret
  readonly #workFactor: number
  #last: { readonly of: string; readonly key: Secret } | null = null

  /** Becomes the owner of the passphrase, which is disposed of with the key. */
  constructor(passphrase: Secret, workFactor = defaultWorkFactor) {
    this.#passphrase = passphrase
    this.#workFactor = workFactor
  }

  recipient(): Promise<Recipient> {
    return Promise.resolve(this)
  }

  identities(): readonly Identity[] {
    return [this]
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const salt = randomBytes(16)
    const key = await this.#derive(salt, this.#workFactor)
    const body = key.use((bytes) => {
      const cipher = createCipheriv('chacha20-poly1305', bytes, Buffer.alloc(12), { authTagLength: 16 })
      return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    })
    this.#keep(salt, this.#workFactor, key)
    return [new Stanza(['scrypt', unpadded(salt), String(this.#workFactor)], body)]
  }

  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    const stanza = stanzas.find((each) => each.args[0] === 'scrypt')
    if (stanza === undefined) return null
    const [, saltText = '', work = ''] = stanza.args
    const salt = Buffer.from(saltText, 'base64')
    const wellFormed = stanza.args.length === 3 && salt.length === 16 && unpadded(salt) === saltText && /^[1-9]\d?$/.test(work)
    if (stanzas.length !== 1 || !wellFormed || stanza.body.length !== 32) throw new Error('malformed scrypt stanza')
    if (Number(work) > maxWorkFactor) throw new TooMuchWork(work)
    const known = this.#last?.of === nameOf(salt, Number(work)) ? this.#last.key : null
    const key = known ?? (await this.#derive(salt, Number(work)))
    const fileKey = key.use((bytes) => opened(bytes, stanza.body))
    if (fileKey !== null) this.#keep(salt, Number(work), key)
    else if (known === null) key.dispose()
    return fileKey
  }

  [Symbol.dispose](): void {
    this.#passphrase.dispose()
    this.#last?.key.dispose()
    this.#last = null
  }

  #keep(salt: Buffer, workFactor: number, key: Secret): void {
    if (this.#last?.key === key) return
    this.#last?.key.dispose()
    this.#last = { of: nameOf(salt, workFactor), key }
    // The passphrase was disposed of during the derivation.
    if (this.#passphrase.disposed) this[Symbol.dispose]()
  }

  #derive(salt: Buffer, workFactor: number): Promise<Secret> {
    const cost = 2 ** workFactor
    const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt])
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, key: Buffer): void => (error === null ? resolve(Secret.take('vault key', key)) : reject(error))
      this.#passphrase.use((bytes) => scrypt(bytes, labelled, 32, { N: cost, r: 8, p: 1, maxmem: cost * 1024 + 2 ** 20 }, done))
    })
  }
}

/** X25519 identities (`AGE-SECRET-KEY-1…`). The first one encrypts, and all of them decrypt. The key owns them. */
export class IdentityKey implements AgeKey {
  readonly kind = 'keyring'
  readonly #identities: readonly [Secret, ...Secret[]]

  constructor(identities: readonly [Secret, ...Secret[]]) {
    this.#identities = identities
  }

  recipient(): Promise<string> {
    return identityToRecipient(this.#identities[0].text())
  }

  identities(): readonly string[] {
    return this.#identities.map((each) => each.text())
  }

  [Symbol.dispose](): void {
    for (const each of this.#identities) each.dispose()
  }
}

/** Parses another user's public key (`age1…`), for exports and never for a vault in use. Null if it is not a public key. */
export function recipientKey(recipient: string): AgeKey | null {
  try {
    new Encrypter().addRecipient(recipient)
  } catch {
    return null
  }
  return { kind: 'recipient', recipient: () => Promise.resolve(recipient), identities: () => [], [Symbol.dispose]: () => undefined }
}

/** Decrypts ChaCha20-Poly1305 (RFC 8439) with a zero nonce, because each key wraps only one file key. Null if the tag does not match. */
function opened(key: Buffer, body: Uint8Array): Buffer | null {
  try {
    const decipher = createDecipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 })
    decipher.setAuthTag(body.subarray(16))
    return Buffer.concat([decipher.update(body.subarray(0, 16)), decipher.final()])
  } catch {
    return null
  }
}

const nameOf = (salt: Buffer, workFactor: number): string => `${workFactor}:${salt.toString('hex')}`
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

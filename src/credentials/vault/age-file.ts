import { Decrypter, Encrypter } from 'age-encryption'
import { PaddockError } from '../../base/errors.ts'
import { type AgeKey, maxWorkFactor, TooMuchWork } from './age-key.ts'

/** The way a vault file is locked, according to its first lines. */
export type VaultKind = 'passphrase' | 'keyring'

const firstLine = 'age-encryption.org/v1\n'
const maxHeaderBytes = 64 * 1024

const advice = 'Restore it from a backup, or move it away and make a new one: paddock vault init'

/**
 * Returns the kind of key that opens an age file (C2SP age.md, "Header"), without any key.
 * @throws PaddockError FILES_FAILED if it is not an age file, is newer, is for other keys, or is truncated
 */
export function kindOf(bytes: Uint8Array, file: string): VaultKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxHeaderBytes)).toString('latin1')
  const refuse = (what: string, hint = advice): PaddockError => new PaddockError('FILES_FAILED', `${file} ${what}`, { hint })
  if (head === '' || (head.length < firstLine.length && firstLine.startsWith(head)))
    throw refuse('is empty or was cut off; it was not changed.')
  if (!head.startsWith(firstLine)) {
    if (/^age-encryption\.org\/v\d+\n/.test(head))
      throw refuse('is an age file of a newer kind than this Paddock reads, and was not changed.', 'Update Paddock: npm install -g paddock')
    throw refuse('is not an age file; it was not changed.')
  }
  const end = head.indexOf('\n--- ')
  if (end < 0) throw refuse('was cut off, or is damaged; it was not changed.')
  const kinds = [...head.slice(0, end + 1).matchAll(/^-> ([^ \n]+)/gm)].map((each) => each[1])
  if (kinds.length === 1 && kinds[0] === 'scrypt') return 'passphrase'
  if (kinds.includes('X25519') && !kinds.includes('scrypt')) return 'keyring'
  throw refuse('is damaged, or an age file that is locked with keys of another kind than a vault is; it was not changed.')
}

/** Returns an age file (binary, not armoured) that this key opens. */
export async function sealAge(plain: Uint8Array, key: AgeKey): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await key.recipient())
  return encrypter.encrypt(plain)
}

/**
 * Returns the content of an age file. The caller must zero it.
 * @throws PaddockError WRONG_PASSPHRASE for the wrong key, FILES_FAILED for a damaged file
 */
export async function openAge(bytes: Uint8Array, key: AgeKey, file: string): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const each of key.identities()) decrypter.addIdentity(each)
  try {
    return await decrypter.decrypt(bytes)
  } catch (error) {
    throw explained(error, key, file)
  }
}

/** Returns an error based on the type of the library's error, whose text is not passed on. */
function explained(error: unknown, key: AgeKey, file: string): PaddockError {
  if (error instanceof TooMuchWork)
    return new PaddockError(
      'FILES_FAILED',
      `${file} asks for a scrypt work factor of ${error.message}, more than the ${maxWorkFactor} that Paddock does; it was not changed.`,
      { hint: 'Encrypt it again with age: age -d FILE | age -p -o NEW' },
    )
  if (!(error instanceof Error && error.message.startsWith('no identity matched')))
    return new PaddockError(
      'FILES_FAILED',
      `${file} is damaged: its content has changed since it was written. Paddock left it unchanged.`,
      { hint: advice },
    )
  if (key.kind === 'passphrase')
    return new PaddockError('WRONG_PASSPHRASE', `The passphrase does not open ${file}.`, {
      hint: 'Try again. If you are sure of the passphrase, the first lines of the file are damaged: restore it from a backup',
    })
  return new PaddockError('WRONG_PASSPHRASE', `The key in the keyring does not open ${file}.`, {
    hint: 'Use the keyring that it was made with. If it is the right one, the first lines of the file are damaged: restore it from a backup',
  })
}

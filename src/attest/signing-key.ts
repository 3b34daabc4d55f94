import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, constants, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../base/errors.ts'
import { readRegularSync } from '../files/read-regular.ts'

interface SigningKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const maxBytes = 4096

/** Returns the Ed25519 key in a state directory. Creates it on the first use, readable only for its owner. */
export function signingKey(stateDirectory: string): SigningKey {
  const file = fileOf(stateDirectory)
  return keyIn(file, readRegularSync(file, maxBytes) ?? created(file))
}

/** Returns the key in a state directory; null if there is none. */
export function existingKey(stateDirectory: string): SigningKey | null {
  const file = fileOf(stateDirectory)
  const text = readRegularSync(file, maxBytes)
  return text === null ? null : keyIn(file, text)
}

const fileOf = (stateDirectory: string): string => path.join(stateDirectory, 'attest', 'key.pem')

function keyIn(file: string, text: string): SigningKey {
  try {
    const privateKey = createPrivateKey(text)
    if (privateKey.asymmetricKeyType === 'ed25519') return { privateKey, publicKey: createPublicKey(privateKey) }
  } catch {
    // Reported below: the messages of OpenSSL do not name the file.
  }
  throw new PaddockError('FILES_FAILED', `${file} is not an Ed25519 key.`, { hint: 'Move it away, and Paddock makes a new key' })
}

/** Creates the key under another name first, so that two processes never use different keys. */
function created(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const { privateKey } = generateKeyPairSync('ed25519')
  const temporary = `${file}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    writeSync(fd, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    fsyncSync(fd)
    linkSync(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    closeSync(fd)
    rmSync(temporary, { force: true })
  }
  return readRegularSync(file, maxBytes) ?? ''
}

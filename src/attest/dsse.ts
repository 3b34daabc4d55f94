import { createHash, type KeyObject, sign, verify } from 'node:crypto'

/** The media type of an in-toto statement in an envelope (https://github.com/in-toto/attestation/blob/main/spec/v1/envelope.md). */
export const statementType = 'application/vnd.in-toto+json'

/** A signed payload (https://github.com/secure-systems-lab/dsse/blob/master/envelope.md). `payload` and `sig` are base64. */
export interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** Returns the bytes that a signature covers: the type and the payload, each with its length in bytes. */
export function preAuthEncoding(type: string, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}

/** Returns the id of a public key: the SHA-256 of its DER form (SubjectPublicKeyInfo). */
export function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** Signs a statement with an Ed25519 key. */
export function signStatement(statement: unknown, privateKey: KeyObject, publicKey: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, preAuthEncoding(statementType, payload), privateKey).toString('base64')
  return { payloadType: statementType, payload: payload.toString('base64'), signatures: [{ keyid: keyIdOf(publicKey), sig }] }
}

/** Returns the payload if a signature of this key covers it; null otherwise. The key ids in the envelope are not trusted. */
export function verifiedPayload(envelope: Envelope, publicKey: KeyObject): Buffer | null {
  if (envelope.payloadType !== statementType || publicKey.asymmetricKeyType !== 'ed25519') return null
  const payload = fromBase64(envelope.payload)
  if (payload === null) return null
  const signed = preAuthEncoding(envelope.payloadType, payload)
  const isSigned = envelope.signatures.some(({ sig }) => {
    const bytes = fromBase64(sig)
    return bytes !== null && bytes.length === 64 && verify(null, signed, publicKey, bytes)
  })
  return isSigned ? payload : null
}

/** Returns the bytes of standard base64; null for text that Node would only decode in part. */
function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

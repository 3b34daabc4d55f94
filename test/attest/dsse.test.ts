import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Envelope, preAuthEncoding, signStatement, statementType, verifiedPayload } from '../../src/attest/dsse.ts'
import { signingKey } from '../../src/attest/signing-key.ts'
import { sigstoreAccepts } from '../support/sigstore.ts'
import { temporary } from '../support/temporary.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const statement = { _type: 'https://in-toto.io/Statement/v1', subject: [{ name: 'ü', digest: { sha256: 'ab' } }] }
const envelope = signStatement(statement, privateKey, publicKey)

test('the example of the specification is encoded as there', () => {
  const encoded = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'))
  expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world')
})

test('a signed statement is read back, and with another key it is not', () => {
  expect(JSON.parse(verifiedPayload(envelope, publicKey)?.toString() ?? '')).toEqual(statement)
  expect(verifiedPayload(envelope, generateKeyPairSync('ed25519').publicKey)).toBeNull()
  expect(verifiedPayload({ ...envelope, payloadType: 'text/plain' }, publicKey)).toBeNull()
  expect(verifiedPayload({ ...envelope, signatures: [] }, publicKey)).toBeNull()
})

test('any other character in the payload or the signature makes an envelope invalid', () => {
  const change = (text: string, at: number, to: string): string => text.slice(0, at) + to + text.slice(at + 1)
  fc.assert(
    fc.property(fc.boolean(), fc.nat(), fc.constantFrom(...'AZaz09+/= \n'), (inPayload, position, to) => {
      const [{ keyid, sig } = { keyid: '', sig: '' }] = envelope.signatures
      const changed: Envelope = inPayload
        ? { ...envelope, payload: change(envelope.payload, position % envelope.payload.length, to) }
        : { ...envelope, signatures: [{ keyid, sig: change(sig, position % sig.length, to) }] }
      if (JSON.stringify(changed) === JSON.stringify(envelope)) return
      expect(verifiedPayload(changed, publicKey)).toBeNull()
    }),
  )
})

test('openssl accepts the signature', async () => {
  await using place = await temporary()
  const [signature] = envelope.signatures
  writeFileSync(place.at('pae'), preAuthEncoding(statementType, Buffer.from(envelope.payload, 'base64')))
  writeFileSync(place.at('sig'), Buffer.from(signature?.sig ?? '', 'base64'))
  writeFileSync(place.at('key'), publicKey.export({ type: 'spki', format: 'pem' }))
  const words = ['-pubin', '-inkey', place.at('key'), '-rawin', '-in', place.at('pae'), '-sigfile', place.at('sig')]
  expect(execFileSync('openssl', ['pkeyutl', '-verify', ...words], { encoding: 'utf8' })).toContain('Verified Successfully')
})

test('the verifier of Sigstore accepts an envelope, and none that was changed or has another key', () => {
  expect(sigstoreAccepts(envelope, publicKey)).toBe(true)
  expect(sigstoreAccepts({ ...envelope, payload: Buffer.from('{}').toString('base64') }, publicKey)).toBe(false)
  expect(sigstoreAccepts(envelope, generateKeyPairSync('ed25519').publicKey)).toBe(false)
})

test('the key is created once and only its owner can read it', async () => {
  await using place = await temporary()
  const first = signingKey(place.path)
  expect(first.publicKey.equals(signingKey(place.path).publicKey)).toBe(true)
  expect(statSync(place.at('attest', 'key.pem')).mode & 0o777).toBe(0o600)
  writeFileSync(place.at('attest', 'key.pem'), 'x')
  expect(() => signingKey(place.path)).toThrow(/is not an Ed25519 key/)
})

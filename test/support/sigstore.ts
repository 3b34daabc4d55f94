import type { KeyObject } from 'node:crypto'
import { toSignedEntity, Verifier } from '@sigstore/verify'
import { expect } from 'vitest'
import type { Envelope } from '../../src/attest/dsse.ts'

/** Verifies an envelope with the library of Sigstore, by a public key and without a log or a time stamp. */
export function sigstoreAccepts({ payloadType, payload, signatures }: Envelope, key: KeyObject): boolean {
  const dsseEnvelope = {
    payloadType,
    payload: Buffer.from(payload, 'base64'),
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: Buffer.from(sig, 'base64') })),
  }
  const bundle = {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      content: { $case: 'publicKey' as const, publicKey: { hint: signatures[0]?.keyid ?? '' } },
      tlogEntries: [],
      timestampVerificationData: { rfc3161Timestamps: [] },
    },
    content: { $case: 'dsseEnvelope' as const, dsseEnvelope },
  }
  const trusted = { publicKey: key, validFor: () => true }
  const material = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [], publicKey: () => trusted }
  const verifier = new Verifier(material, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 })
  try {
    verifier.verify(toSignedEntity(bundle))
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'SIGNATURE_ERROR' })
    return false
  }
}

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { matchesPattern } from '../../policy/host-pattern.ts'
import { bits, element, integer, objectId, octets, sequence, time, utf8, yes } from './der.ts'

const hour = 3_600_000
/** Validity period of the certificates of a cell. */
const lifeMs = 30 * 24 * hour

/** The certificate authority of one cell. Its key exists only in the memory of this process. */
export interface CellAuthority {
  /** The certificate that the cell trusts (PEM). */
  readonly certificate: string
  /** Returns key and certificate (PEM) for a server with this name. Throws if the authority does not cover the name. */
  leaf(name: string): { readonly key: string; readonly cert: string }
}

/**
 * Creates an authority (ECDSA P-256) that can sign only for the given names. They are the permitted subtrees of a critical name constraint
 * (RFC 5280, 4.2.1.10), and IP addresses are excluded. A constraint also covers the subdomains of a name, because RFC 5280 cannot express
 * an exact name.
 * @param patterns host patterns of a policy: exact names, `*.name`, or `*`, which leaves host names unconstrained.
 */
export function makeAuthority(patterns: readonly string[], now: number = Date.now()): CellAuthority {
  const { certificate, issue } = makeIssuer(patterns, now)
  const leaves = new Map<string, ReturnType<typeof issue>>()
  return {
    certificate,
    leaf(host) {
      if (!patterns.some((each) => each === '*' || matchesPattern(each, host))) throw new Error(`no certificate for ${host}`)
      const known = leaves.get(host) ?? issue(host)
      leaves.set(host, known)
      return known
    },
  }
}

/** Creates the issuer of an authority. It would sign for any name; clients refuse wrong names because of the constraint. */
export function makeIssuer(patterns: readonly string[], now: number = Date.now()) {
  const own = pair()
  const shared = pair()
  const validity = sequence(time(new Date(now - hour)), time(new Date(now + lifeMs)))
  const issuer = name([
    ['2.5.4.10', 'Paddock'],
    ['2.5.4.3', `the inspection of one cell, ${randomBytes(6).toString('hex')}`],
  ])
  const signed = (subject: Buffer, subjectKey: KeyObject, extensions: readonly Buffer[]): string =>
    certificate({ issuer, subject, subjectKey, validity, extensions, signer: own.privateKey })
  const authorityId = extension('2.5.29.35', false, sequence(element(0x80, keyId(own.publicKey))))
  const key = shared.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    certificate: signed(issuer, own.publicKey, [
      extension('2.5.29.19', true, sequence(yes, integer(Buffer.from([0])))),
      extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
      extension('2.5.29.30', true, constraints(patterns)),
      extension('2.5.29.14', false, octets(keyId(own.publicKey))),
    ]),
    issue: (host: string): { readonly key: string; readonly cert: string } => ({
      key,
      cert: signed(name([['2.5.4.10', 'Paddock']]), shared.publicKey, [
        extension('2.5.29.19', true, sequence()),
        extension('2.5.29.15', true, bits(Buffer.from([0b1000_0000]), 7)),
        extension('2.5.29.37', false, sequence(objectId('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', false, sequence(element(0x82, Buffer.from(host)))),
        extension('2.5.29.14', false, octets(keyId(shared.publicKey))),
        authorityId,
      ]),
    }),
  }
}

const pair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))

function certificate(parts: {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly subjectKey: KeyObject
  readonly validity: Buffer
  readonly extensions: readonly Buffer[]
  readonly signer: KeyObject
}): string {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    parts.issuer,
    parts.validity,
    parts.subject,
    parts.subjectKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...parts.extensions)),
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, parts.signer)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function name(attributes: readonly (readonly [id: string, value: string])[]): Buffer {
  return sequence(...attributes.map(([id, value]) => element(0x31, sequence(objectId(id), utf8(value)))))
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectId(id), ...(critical ? [yes] : []), octets(value))
}

function constraints(patterns: readonly string[]): Buffer {
  const names = [...new Set(patterns.map((each) => each.replace(/^\*\./, '')))]
  const subtree = (tag: number, value: Uint8Array) => sequence(element(tag, value))
  const permitted = names.includes('*') ? [] : [element(0xa0, ...names.map((each) => subtree(0x82, Buffer.from(each))))]
  const addresses = [Buffer.alloc(8), Buffer.alloc(32)].map((each) => subtree(0x87, each))
  return sequence(...permitted, element(0xa1, ...addresses))
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
}

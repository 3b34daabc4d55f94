import { createHash, X509Certificate } from 'node:crypto'

/** The first bytes of a key store in Java's own format (JKS), with its version, which every Java reads. */
const magic = Buffer.from('feedfeed00000002', 'hex')
/** The password of every `cacerts` file. It only protects against damage, because a list of authorities is not a secret. */
const password = Buffer.from('changeit', 'utf16le').swap16()
const salt = Buffer.from('Mighty Aphrodite')
const digestBytes = 20
const [keyEntry, trustedEntry] = [1, 2]

const blocks = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/** Returns the certificates of a text (PEM) in binary form (DER). Java refuses a store with anything else in it, so other blocks are left out. */
export function certificatesOf(bundle: string): readonly Buffer[] {
  return [...bundle.matchAll(blocks)].map(([, text = '']) => Buffer.from(text, 'base64')).filter(isCertificate)
}

/** Returns a key store (JKS) in which these authorities (DER) are trusted, each once. Equal certificates make equal stores. */
export function javaKeyStore(certificates: readonly Buffer[]): Buffer {
  const unique = new Map(certificates.map((each) => [each.toString('latin1'), each]))
  const entries = [...unique.values()].flatMap((each, index) => [
    ...[number(trustedEntry), text(`authority-${index + 1}`)],
    // The time at which it was added, which nothing reads.
    ...[Buffer.alloc(8), text('X.509'), number(each.length), each],
  ])
  const content = Buffer.concat([magic, number(unique.size), ...entries])
  return Buffer.concat([content, createHash('sha1').update(password).update(salt).update(content).digest()])
}

/** The first bytes of key stores: JKS, JCEKS, and the version in PKCS #12 (an integer, 3), which follows the length of everything. */
const starts = [magic.subarray(0, 4), Buffer.from('cececece', 'hex')]
const version = Buffer.from('020103', 'hex')

/** Returns true for the content of a key store in any format, also one that cannot be read without its password. */
export function isKeyStore(store: Buffer): boolean {
  if (starts.some((each) => store.subarray(0, each.length).equals(each))) return true
  // A sequence whose length has one to four bytes (X.690, section 8.1.3).
  const head = store[1] === undefined || store[1] < 0x80 ? 2 : 2 + (store[1] & 0x7f)
  return store[0] === 0x30 && store.subarray(head, head + version.length).equals(version)
}

/** Returns the authorities (DER) that a key store of Java trusts: JKS, or PKCS #12 without encryption. Empty for anything else. Never throws. */
export function trustedIn(store: Buffer): readonly Buffer[] {
  const found = store.subarray(0, 4).equals(magic.subarray(0, 4)) ? trustedInJks(store) : trustedInPkcs12(store)
  return found.filter(isCertificate)
}

function trustedInJks(store: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  let at = magic.length
  const take = (length: number): Buffer => {
    const part = store.subarray(at, at + length)
    at += length
    return part.length === length ? part : Buffer.alloc(length)
  }
  const long = (): Buffer => take(Math.min(take(4).readUInt32BE(), store.length))
  const short = (): Buffer => take(take(2).readUInt16BE())
  const hasTypes = store.subarray(4, 8).equals(magic.subarray(4, 8))
  const certificate = (): Buffer => {
    if (hasTypes) short()
    return long()
  }
  for (let left = take(4).readUInt32BE(); left > 0 && at < store.length - digestBytes; left--) {
    const kind = take(4).readUInt32BE()
    short()
    take(8)
    if (kind === trustedEntry) found.push(certificate())
    else if (kind === keyEntry) {
      long()
      for (let chain = take(4).readUInt32BE(); chain > 0 && at < store.length; chain--) certificate()
    } else break
  }
  return found
}

/** The identifiers of a certificate in a bag, and of the attribute with which Java marks trusted ones (oracle.com, trustedKeyUsage). */
const bagged = Buffer.from('060a2a864886f70d01091601', 'hex')
const trustMark = Buffer.from('060c6086480186f966adca7b0101', 'hex')

function trustedInPkcs12(store: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = store.indexOf(bagged); at >= 0; ) {
    const next = store.indexOf(bagged, at + bagged.length)
    const bag = store.subarray(at + bagged.length, next < 0 ? store.length : next)
    // [0] with an octet string, whose content is the certificate.
    const inner = elementOf(bag, 0xa0)
    const content = inner === null ? null : elementOf(inner, 0x04)
    if (inner !== null && content !== null && bag.indexOf(trustMark, inner.length) > 0) found.push(content)
    at = next
  }
  return found
}

/** Returns the value of an element in DER; null if it has another tag, or is longer than the bytes. */
function elementOf(bytes: Buffer, tag: number): Buffer | null {
  const first = bytes[1] ?? 0x80
  if (bytes[0] !== tag || first === 0x80 || first > 0x84) return null
  const head = first < 0x80 ? 2 : 2 + (first & 0x7f)
  if (bytes.length < head) return null
  const length = head === 2 ? first : bytes.readUIntBE(2, head - 2)
  return bytes.length < head + length ? null : bytes.subarray(head, head + length)
}

function isCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).raw.equals(bytes)
  } catch {
    return false
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

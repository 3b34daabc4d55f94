/** The few DER structures (ITU-T X.690) that occur in a certificate. */

/** Returns one element: its tag, its length in the shortest form, and its contents. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  if (length > 0xffff) throw new Error('a DER element of more than 64 KiB')
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

export const sequence = (...contents: readonly Uint8Array[]): Buffer => element(0x30, ...contents)
export const octets = (contents: Uint8Array): Buffer => element(0x04, contents)
export const yes = element(0x01, Buffer.from([0xff]))

/** Returns a positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const trimmed = bytes.subarray(start)
  return element(0x02, (trimmed[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed)
}

/** Returns a bit string whose last `unused` bits have no meaning. */
export const bits = (contents: Uint8Array, unused = 0): Buffer => element(0x03, Buffer.from([unused]), contents)

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const value of rest) {
    const groups = [value & 0x7f]
    for (let left = value >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return element(0x06, Buffer.from(bytes))
}

export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text))

/** Returns a GeneralizedTime in seconds, or a UTCTime before 2050, as RFC 5280 (4.1.2.5) requires. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d+Z$/g, '')
  return at.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(`${digits.slice(2)}Z`)) : element(0x18, Buffer.from(`${digits}Z`))
}

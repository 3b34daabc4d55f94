/** The maximum length of an escape in bytes. A longer sequence is not an escape. */
export const longestEscape = 10

/** The results of `escapeAt` if there is no escape, and if the bytes end within a possible escape. */
export const [noEscape, incomplete] = [0, -1]

const [backslash, percent, hash, semicolon] = [0x5c, 0x25, 0x23, 0x3b]
const [letterU, letterX] = [0x75, 0x78]

const digits = new Int8Array(256).fill(-1)
for (let value = 0; value < 16; value++) {
  digits[value.toString(16).charCodeAt(0)] = value
  digits[value.toString(16).toUpperCase().charCodeAt(0)] = value
}
/** The characters after a backslash in JSON (RFC 8259, section 7), and the single quote of JavaScript. */
const simple = new Uint8Array(256)
for (const [name, code] of Object.entries({ '"': 0x22, "'": 0x27, '\\': 0x5c, '/': 0x2f, b: 8, f: 12, n: 10, r: 13, t: 9 }))
  simple[name.charCodeAt(0)] = code

/** HTML's names for ASCII characters (HTML, section 13.5). */
const names: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ Tab: '\t', NewLine: '\n', excl: '!', quot: '"', QUOT: '"', num: '#', dollar: '$', percnt: '%', amp: '&', AMP: '&', apos: "'" },
    ...{
      lpar: '(',
      rpar: ')',
      ast: '*',
      midast: '*',
      plus: '+',
      comma: ',',
      period: '.',
      sol: '/',
      colon: ':',
      semi: ';',
      lt: '<',
      LT: '<',
    },
    ...{ equals: '=', gt: '>', GT: '>', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^' },
    ...{ lowbar: '_', UnderBar: '_', grave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
  }).map(([name, character]) => [name, character.charCodeAt(0)]),
)

/**
 * Reads the escape that starts at this `%`, `\` or `&`. Returns its code point times 16 plus its length in bytes, `noEscape`, or
 * `incomplete`. Percent-encoding produces a byte, not a code point.
 */
export function escapeAt(data: Buffer, at: number): number {
  if (data[at] === percent) return hexAt(data, at + 1, 2, 3)
  return data[at] === backslash ? backslashAt(data, at) : referenceAt(data, at)
}

function backslashAt(data: Buffer, at: number): number {
  const kind = data[at + 1]
  if (kind === undefined) return incomplete
  if (kind === letterU) return hexAt(data, at + 2, 4, 6)
  if (kind === letterX) return hexAt(data, at + 2, 2, 4)
  const code = simple[kind] as number
  return code === 0 ? noEscape : code * 16 + 2
}

function hexAt(data: Buffer, from: number, count: number, width: number): number {
  let code = 0
  for (let at = from; at < from + count; at++) {
    if (at >= data.length) return incomplete
    const digit = digits[data[at] as number] as number
    if (digit < 0) return noEscape
    code = code * 16 + digit
  }
  // Half of a surrogate pair is not a character.
  return code >= 0xd800 && code <= 0xdfff ? noEscape : code * 16 + width
}

/** Reads `&#47;`, `&#x2F;` or `&sol;`. Numbers may lack their semicolon, as in browsers. */
function referenceAt(data: Buffer, at: number): number {
  const end = Math.min(data.length, at + longestEscape)
  if (data[at + 1] !== hash) {
    for (let next = at + 1; next < end; next++) {
      const byte = data[next] as number
      if (byte === semicolon) {
        const code = names.get(data.toString('latin1', at + 1, next))
        return code === undefined ? noEscape : code * 16 + next + 1 - at
      }
      if ((byte | 0x20) < 0x61 || (byte | 0x20) > 0x7a) return noEscape
    }
    return end === data.length && end < at + longestEscape ? incomplete : noEscape
  }
  const isHex = ((data[at + 2] ?? 0) | 0x20) === letterX
  const base = isHex ? 16 : 10
  const from = at + (isHex ? 3 : 2)
  let code = 0
  for (let next = from; next < end; next++) {
    const byte = data[next] as number
    const digit = digits[byte] as number
    if (digit < 0 || digit >= base) {
      if (next === from || !isCharacter(code)) return noEscape
      return code * 16 + next - at + (byte === semicolon ? 1 : 0)
    }
    code = code * base + digit
  }
  return end === data.length && end < at + longestEscape ? incomplete : noEscape
}

const isCharacter = (code: number): boolean => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

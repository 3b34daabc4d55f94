import { shortestNeedle } from './finder.ts'

/**
 * How a secret may be spelled in text: plain, JSON (slashes escaped or not), percent-encoded in large and in small letters, hex, also with
 * colons or blanks between the bytes, and base64.
 */
export function spellings(bytes: Buffer): readonly string[] {
  const plain = bytes.toString('utf8')
  const hex = bytes.toString('hex')
  const hexes = [hex, ...[':', ' '].map((between) => hex.replace(/..(?!$)/g, `$&${between}`))]
  const json = JSON.stringify(plain).slice(1, -1)
  const percent = encodeURIComponent(plain.toWellFormed())
  const small = percent.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase())
  const upper = hexes.map((each) => each.toUpperCase())
  const found = [plain, json, json.replaceAll('/', '\\/'), percent, small, ...hexes, ...upper, ...base64Parts(bytes)]
  return [...new Set(found)].filter((each) => each !== '').sort((a, b) => b.length - a.length)
}

/**
 * What base64 (RFC 4648, both alphabets) makes of a secret. That depends on where in its surroundings the secret begins, so the part that
 * stays the same in each of the three alignments is there for the whole.
 */
export function base64Parts(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const part = whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3))
    return part.length < shortestNeedle ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** UTF-16 in either order of bytes. */
export function wide(bytes: Buffer): readonly Buffer[] {
  const little = Buffer.from(bytes.toString('utf8'), 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

import { shortestNeedle } from './finder.ts'

/**
 * Returns the spellings of a secret in text: plain, JSON (slashes escaped or not), percent-encoded in upper and lower case, hex (also with
 * colons or spaces between the bytes), and base64.
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
 * Returns parts of a secret's base64 form (RFC 4648, both alphabets). The form depends on the position of the secret in the surrounding
 * text, so for each of the three alignments only the part that does not change is returned.
 */
export function base64Parts(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const part = whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3))
    return part.length < shortestNeedle ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Returns UTF-16 in both byte orders. */
export function wide(bytes: Buffer): readonly Buffer[] {
  const little = Buffer.from(bytes.toString('utf8'), 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

import { replaceUnseen } from '../../../base/unseen.ts'

/** A line as a reader of hidden text would read it. */
interface ReadableLine {
  readonly text: string
  /** Whether the line continues the encoded text of the line before, without a space. */
  readonly isContinued: boolean
}

const tags = /[\u{E0020}-\u{E007E}]+/gu
const marks = /[*_`~#]+|<!--|-->|^\s*(?:\/\/|\/\*+|--|>|;+|%+|rem )\s*/giu
const encoded = /(?<![A-Za-z0-9+/_-])(?:(?:0x)?(?:[0-9a-f]{2}){12,}|[A-Za-z0-9+/_-]{24,}={0,2})(?![A-Za-z0-9+/_=-])/giu
const wholeLine = new RegExp(`^\\s*(?:${encoded.source})\\s*$`, 'iu')
const lastLine = /^\s*([A-Za-z0-9+/_-]{2,}={0,2})\s*$/u
const hex = /^(?:0x)?(?:[0-9a-f]{2})+$/iu
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\t\r\n]+$/u

/**
 * Returns the lines of a text without invisible characters and marks of formatting, in compatible characters, with encoded text decoded.
 */
export function readableLines(text: string): readonly ReadableLine[] {
  let isEncoded = false
  return text.split('\n').map((line) => {
    const plain = line.normalize('NFKC')
    const hidden = [...plain.matchAll(tags)].map(([run]) => fromTags(run)).join('')
    const shown = replaceUnseen(plain, spaceOrNothing)
    const rest = isEncoded ? (lastLine.exec(shown)?.[1] ?? null) : null
    const end = rest === null ? null : decode(rest)
    const decoded = end ?? shown.replace(encoded, (run) => decode(run) ?? run)
    const isWhole = decoded !== shown && wholeLine.test(shown)
    const isContinued = isEncoded && (end !== null || isWhole)
    isEncoded = isWhole
    return { text: tidy(hidden === '' ? decoded : `${decoded} ${hidden}`, isEncoded), isContinued }
  })
}

/** Spaces at the ends of an encoded line are part of the text that is continued on the next line. */
function tidy(text: string, isEncoded: boolean): string {
  const read = replaceUnseen(text.normalize('NFKC'), spaceOrNothing).replace(marks, ' ').replaceAll(/\s+/gu, ' ')
  return isEncoded ? read : read.trim()
}

/** Returns the printable text that is encoded in base64 or hexadecimal; null if it is not. */
function decode(run: string): string | null {
  const ways = hex.test(run) ? (['hex', 'base64'] as const) : (['base64'] as const)
  for (const way of ways) {
    const text = Buffer.from(way === 'hex' ? run.replace(/^0x/iu, '') : run, way).toString('utf8')
    if (printable.test(text)) return text
  }
  return null
}

function spaceOrNothing(character: string): string {
  return /\s/u.test(character) ? ' ' : ''
}

function fromTags(run: string): string {
  return [...run].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe0000)).join('')
}

import { redact } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { replaceUnseen } from '../../base/unseen.ts'

/** The most characters of one message (discord.com/developers/docs/resources/message#create-message). */
export const longestMessage = 2_000
/** The most bytes of one file, which every server accepts. */
export const largestFile = 8 * 1024 * 1024

/** Returns foreign text without known secrets, and without characters that hide text or change its direction. */
export function shown(text: string): string {
  const lines = redact(text).replace(/\r\n?/g, '\n')
  return replaceUnseen(lines, (each) => (each === '\n' || each === '\t' ? each : `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`))
}

/** Returns a code block in which nothing is interpreted: no mention, no link, no other markup, and no early end of the block. */
export function block(text: string): string {
  // Three backticks in a row would end the block; one at the end would lengthen the fence.
  const inside = text.replace(/`(?=`)/g, '`\u200b').replace(/`$/, '`\u200b')
  return `\`\`\`\n${inside}\n\`\`\``
}

/** Returns inline code in which nothing is interpreted. */
export function code(text: string): string {
  return `\`${printable(redact(text)).replaceAll('`', '\u02cb') || ' '}\``
}

/** Returns the start of a text with at most this many characters, none of them split, and a note if something is omitted. */
export function cut(text: string, most: number, note = '…'): string {
  if (text.length <= most) return text
  const kept = text.slice(0, Math.max(0, most - note.length)).replace(/[\ud800-\udbff]$/, '')
  return kept + note
}

/** Returns the start of a file with at most this many bytes, in the same way. */
export function cutFile(text: string, most: number = largestFile): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  const note = `\n[Cut: the whole text has ${bytes.length} bytes.]\n`
  return new TextDecoder().decode(bytes.subarray(0, most - note.length), { stream: true }) + note
}

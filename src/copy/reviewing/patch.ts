import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { splitLines, unified } from './text-diff.ts'

/** One side of a change: the bytes of a file, or the target of a link. */
export interface PatchSide {
  /** The mode in git's form: `100644`, `100755` or `120000`. */
  readonly mode: '100644' | '100755' | '120000'
  readonly bytes: Buffer
}

export interface PatchedFile {
  readonly path: string
  readonly old: PatchSide | null
  readonly now: PatchSide | null
}

/** The size above which a diff by lines is of no use. */
export const mostTextBytes = 2 * 1024 * 1024

/**
 * Returns one file of a patch for `git apply` (git-diff(1), "Generating patch text"); empty if nothing differs. Files that are not UTF-8 or
 * are over 2 MiB become a `GIT binary patch` or, with `binary: 'named'`, one line for readers.
 */
export function patchOf({ path, old, now }: PatchedFile, binary: 'whole' | 'named'): string {
  // Git represents a file that became a link as a deletion and a new file.
  if (old !== null && now !== null && (old.mode === '120000') !== (now.mode === '120000'))
    return patchOf({ path, old, now: null }, binary) + patchOf({ path, old: null, now }, binary)
  if (old === null && now === null) return ''
  const isSame = old !== null && now !== null && old.bytes.equals(now.bytes)
  if (isSame && old.mode === now.mode) return ''
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const lines = [`diff --git ${a} ${b}`]
  if (old === null) lines.push(`new file mode ${now?.mode}`)
  else if (now === null) lines.push(`deleted file mode ${old.mode}`)
  else if (old.mode !== now.mode) lines.push(`old mode ${old.mode}`, `new mode ${now.mode}`)
  if (isSame) return `${lines.join('\n')}\n`
  const kept = old !== null && now !== null && old.mode === now.mode ? ` ${now.mode}` : ''
  lines.push(`index ${objectName(old)}..${objectName(now)}${kept}`)
  const [before, after] = [textOf(old), textOf(now)]
  if (before === null || after === null) {
    if (binary === 'named') lines.push(`Binary files ${old === null ? '/dev/null' : a} and ${now === null ? '/dev/null' : b} differ`)
    else lines.push('GIT binary patch', ...literal(now?.bytes ?? Buffer.alloc(0)), '', ...literal(old?.bytes ?? Buffer.alloc(0)), '')
    return `${lines.join('\n')}\n`
  }
  const diff = unified(splitLines(before), splitLines(after))
  if (diff.lines.length > 0) {
    // Here, git ends a name that contains a space with a tab (git's diff.c).
    const end = path.includes(' ') ? '\t' : ''
    lines.push(`--- ${old === null ? '/dev/null' : a + end}`, `+++ ${now === null ? '/dev/null' : b + end}`)
  }
  for (const { sign, text } of diff.lines) lines.push(sign === '@' ? `@@ ${text} @@` : sign === 'end' ? `\\ ${text}` : sign + text)
  return `${lines.join('\n')}\n`
}

function textOf(side: PatchSide | null): string | null {
  if (side === null) return ''
  const { bytes } = side
  return bytes.length <= mostTextBytes && isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null
}

/** Returns the name of a blob in a SHA-1 repository (gitformat-index, "object ID"). */
function objectName(side: PatchSide | null): string {
  return side === null ? '0'.repeat(40) : hash('sha1', Buffer.concat([Buffer.from(`blob ${side.bytes.length}\0`), side.bytes]))
}

/** Returns a path, quoted as git does if necessary (core.quotePath in git-config(1)). */
export function quoted(path: string): string {
  if (!/["\\\p{Cc}]/u.test(path)) return path
  const escaped = path.replace(/["\\\p{Cc}]/gu, (each) => {
    if (each === '"' || each === '\\') return `\\${each}`
    return [...Buffer.from(each)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  })
  return `"${escaped}"`
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

/**
 * Returns a file in base 85, 52 bytes per line, each after a letter for their number (git's base85.c and emit_binary_diff_body in diff.c).
 */
function literal(bytes: Buffer): string[] {
  const packed = deflateSync(bytes)
  const lines = [`literal ${bytes.length}`]
  for (let at = 0; at < packed.length; at += 52) {
    const part = packed.subarray(at, at + 52)
    const length = part.length <= 26 ? String.fromCharCode(64 + part.length) : String.fromCharCode(96 + part.length - 26)
    let line = length
    for (let from = 0; from < part.length; from += 4) line += base85(part.subarray(from, from + 4))
    lines.push(line)
  }
  return lines
}

function base85(four: Buffer): string {
  let value = Buffer.concat([four, Buffer.alloc(4)]).readUInt32BE(0)
  let text = ''
  for (let place = 0; place < 5; place += 1) {
    text = digits[value % 85] + text
    value = Math.floor(value / 85)
  }
  return text
}

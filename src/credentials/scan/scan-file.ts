import { isUtf8 } from 'node:buffer'
import { fstatSync, read } from 'node:fs'
import { promisify } from 'node:util'
import type { Match, SecretSearch } from '../../secrets/secret-search.ts'
import { membersOf } from './compressed.ts'
import type { Deadline } from './deadline.ts'
import { type Finding, inPlayRule, maskedValue, shownPath } from './secret-finding.ts'
import type { RuleThread } from './secret-rules.ts'

const readAsync = promisify(read)
const piece = 256 * 1024
const mostOfOneFile = 20
/** The maximum number of places of one secret in one file. */
const mostOfOneSecret = 5

/** The resources that scans of several files share. */
export interface ScanMeans {
  readonly exact: SecretSearch
  readonly rules: RuleThread
  readonly deadline: Deadline
  readonly rulesDeadline: Deadline
  /** The size above which a text is not searched with the rules. */
  readonly ruleBytes: number
  /** The number of bytes that may still be decompressed. */
  unpacked: number
}

export interface ScannedFile {
  readonly findings: readonly Finding[]
  readonly more: number
  /** The parts that were not searched, with the reasons. */
  readonly notLooked: readonly string[]
}

/** Scans an open regular file of any size, in constant memory. `path` is its name for findings and rules. */
export async function scanFile(descriptor: number, path: string, means: ScanMeans): Promise<ScannedFile> {
  const findings: Finding[] = []
  const notLooked: string[] = []
  const facts = fstatSync(descriptor)
  if (!facts.isFile()) return { findings, more: 0, notLooked: ['it is not a regular file'] }
  const isShort = facts.size <= means.ruleBytes
  const whole: Buffer[] = []
  const matches: Match[] = []
  let first: Buffer = Buffer.alloc(0)
  const stream = means.exact.stream()
  for (let at = 0; ; ) {
    const bytes = await pieceAt(descriptor, at)
    if (at === 0) first = bytes
    if (bytes.length === 0) break
    if (means.deadline.passed) {
      notLooked.push('there was no time left to read all of it')
      break
    }
    for (const each of stream.push(bytes))
      if (matches.filter((one) => one.secret === each.secret).length < mostOfOneSecret) matches.push(each)
    if (isShort && at + bytes.length <= means.ruleBytes) whole.push(bytes)
    at += bytes.length
    if (isShort && means.exact.isEmpty && at > means.ruleBytes) break
    if (!isShort && means.exact.isEmpty) break
  }
  if (matches.length > 0) findings.push(...(await located(descriptor, path, matches)))
  const members = means.exact.isEmpty ? null : membersOf(descriptor, first)
  for (const each of members ?? []) {
    const { found, why } = await scanMember(each.bytes, means)
    const shown = each.name === null ? path : `${path}!${each.name}`
    for (const secret of found) findings.push({ ...inPlay(shown, secret), line: null, column: null })
    if (why !== null) notLooked.push(`${each.name === null ? 'inside of it' : shownPath(each.name)}: ${why}`)
  }
  const text = isShort ? textOf(Buffer.concat(whole)) : null
  if (!isShort) notLooked.push('it is too large for the rules')
  else if (text !== null && text !== '') {
    const left = Math.min(means.deadline.left, means.rulesDeadline.left)
    const hits = left === 0 ? 'there was no time left for the rules' : await means.rules.hits(path, text, left)
    if (typeof hits === 'string') notLooked.push(hits)
    else
      for (const { rule, what, start, end } of hits)
        findings.push({ path: shownPath(path), ...placeOf(text, start, end), rule, what, masked: maskedValue(text.slice(start, end)) })
  }
  return { findings: findings.slice(0, mostOfOneFile), more: Math.max(0, findings.length - mostOfOneFile), notLooked }
}

export function inPlay(path: string, secret: string): Finding {
  return { path: shownPath(path), line: null, column: null, rule: inPlayRule, what: secret, masked: '' }
}

/** Searches a member, as far as possible if the member is damaged or endless. */
async function scanMember(bytes: AsyncIterable<Buffer>, means: ScanMeans): Promise<{ found: ReadonlySet<string>; why: string | null }> {
  const found = new Set<string>()
  const stream = means.exact.stream()
  try {
    for await (const each of bytes) {
      means.unpacked -= each.length
      for (const { secret } of stream.push(each)) found.add(secret)
      if (means.unpacked <= 0) return { found, why: 'too much to decompress' }
      if (means.deadline.passed) return { found, why: 'there was no time left' }
    }
  } catch {
    return { found, why: 'it is damaged' }
  }
  return { found, why: null }
}

async function pieceAt(descriptor: number, at: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(piece)
  return bytes.subarray(0, (await readAsync(descriptor, bytes, 0, piece, at)).bytesRead)
}

/** Returns findings with line and column. Reads the file once more, up to the last finding. */
async function located(descriptor: number, path: string, matches: readonly Match[]): Promise<Finding[]> {
  const left = matches.toSorted((a, b) => a.start - b.start)
  const findings: Finding[] = []
  let [line, lineStart, at] = [1, 0, 0]
  while (left.length > 0) {
    const bytes = await pieceAt(descriptor, at)
    for (let newline = bytes.indexOf(0x0a); ; newline = bytes.indexOf(0x0a, newline + 1)) {
      const until = newline < 0 ? at + bytes.length : at + newline
      for (let each = left[0]; each !== undefined && (each.start <= until || bytes.length === 0); each = left[0]) {
        const column = each.start - lineStart + 1
        findings.push({ ...inPlay(path, each.secret), line, column, ...(await endOf(descriptor, each, line, column)) })
        left.shift()
      }
      if (newline < 0) break
      line++
      lineStart = at + newline + 1
    }
    at += bytes.length
  }
  return findings
}

async function endOf(
  descriptor: number,
  { start, end }: Match,
  line: number,
  column: number,
): Promise<Pick<Finding, 'endLine' | 'endColumn'>> {
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await readAsync(descriptor, bytes, 0, bytes.length, start)
  return endIn(bytes.toString('latin1', 0, bytesRead), line, column)
}

/** Returns the end of a text that starts at this line and column. */
function endIn(text: string, line: number, column: number): Pick<Finding, 'endLine' | 'endColumn'> {
  const lines = text.split('\n')
  const last = lines.at(-1)?.length ?? 0
  return lines.length === 1 ? { endColumn: column + last } : { endLine: line + lines.length - 1, endColumn: last + 1 }
}

/** Decodes UTF-8, or UTF-16 with its byte order mark. Returns null for other bytes, and for text with a NUL. */
function textOf(bytes: Buffer): string | null {
  if (bytes.length >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null
}

function placeOf(text: string, start: number, end: number): Omit<Finding, 'path' | 'rule' | 'what' | 'masked'> {
  let [line, lineStart] = [1, 0]
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  const column = start - lineStart + 1
  return { line, column, ...endIn(text.slice(start, end).trimEnd(), line, column) }
}

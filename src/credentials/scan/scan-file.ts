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
/** The largest text that the rules search as a whole. */
const mostAtOnce = 1024 * 1024
/** The size of the parts of a larger text. They overlap, so that each secret is whole in one of them. */
const partSize = 256 * 1024
const overlap = 32 * 1024
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
  const isShort = facts.size <= Math.min(means.ruleBytes, mostAtOnce)
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
    if (isShort && at + bytes.length <= mostAtOnce) whole.push(bytes)
    at += bytes.length
    if (isShort && means.exact.isEmpty && at > mostAtOnce) break
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
  if (facts.size > means.ruleBytes) notLooked.push('it is too large for the rules')
  else {
    const texts = isShort ? [wholeText(Buffer.concat(whole))] : textsOf(descriptor, facts.size)
    const { found, why } = await searchedByRules(texts, path, means)
    findings.push(...found)
    if (why !== null) notLooked.push(why)
  }
  return { findings: findings.slice(0, mostOfOneFile), more: Math.max(0, findings.length - mostOfOneFile), notLooked }
}

/** A part of a file's text. */
interface TextPart {
  /** Null: these bytes are not text. */
  readonly text: string | null
  /** The line and column at which the part starts, counted from 1. */
  readonly line: number
  readonly column: number
}

async function searchedByRules(
  parts: Iterable<TextPart> | AsyncIterable<TextPart>,
  path: string,
  means: ScanMeans,
): Promise<{ readonly found: readonly Finding[]; readonly why: string | null }> {
  const found: Finding[] = []
  let why: string | null = null
  for await (const { text, line, column } of parts) {
    if (text === null || text === '') continue
    const left = Math.min(means.deadline.left, means.rulesDeadline.left)
    const hits = left === 0 ? 'there was no time left for the rules' : await means.rules.hits(path, text, left)
    if (typeof hits === 'string') {
      why = hits
      continue
    }
    for (const { rule, what, start, end } of hits) {
      const place = placeOf(text, start, end, { line, column })
      // Both of two overlapping parts can have it.
      const isKnown = found.some((each) => each.rule === rule && each.line === place.line && each.column === place.column)
      if (!isKnown) found.push({ path: shownPath(path), ...place, rule, what, masked: maskedValue(text.slice(start, end)) })
    }
    if (found.length > mostOfOneFile) break
  }
  return { found, why }
}

function wholeText(bytes: Buffer): TextPart {
  return { text: textOf(bytes, isUtf16(bytes)), line: 1, column: 1 }
}

/** Yields the overlapping parts of a larger file. */
async function* textsOf(descriptor: number, size: number): AsyncGenerator<TextPart> {
  let [line, column, isWide] = [1, 1, false]
  for (let at = 0; ; ) {
    const bytes = Buffer.alloc(Math.min(partSize, size - at))
    const { bytesRead } = await readAsync(descriptor, bytes, 0, bytes.length, at)
    if (bytesRead === 0) return
    if (at === 0) isWide = isUtf16(bytes)
    const whole = bytes.subarray(0, characterEnd(bytes, bytesRead, isWide))
    yield { text: textOf(whole, isWide), line, column }
    if (at + bytesRead >= size || bytesRead < bytes.length) return
    const step = characterEnd(bytes, bytesRead - overlap, isWide)
    const passed = textOf(bytes.subarray(0, step), isWide) ?? bytes.toString('latin1', 0, step)
    const lines = passed.split('\n')
    column = (lines.length === 1 ? column : 1) + (lines.at(-1)?.length ?? 0)
    line += lines.length - 1
    at += step
  }
}

/** Returns the last position up to `end` that is not inside a character of UTF-8 or UTF-16. */
function characterEnd(bytes: Buffer, end: number, isWide: boolean): number {
  if (isWide) return end - (end % 2)
  let at = end - 1
  while (at > 0 && at > end - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  const first = bytes[at] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return at + length > end ? at : end
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

function isUtf16(bytes: Buffer): boolean {
  return bytes.length >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe
}

/** Decodes UTF-8, or UTF-16 without its byte order mark. Returns null for other bytes, and for text with a NUL. */
function textOf(bytes: Buffer, isWide: boolean): string | null {
  if (isWide) return bytes.toString('utf16le', isUtf16(bytes) ? 2 : 0)
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null
}

/** Returns the place of a finding in a text that starts at this line and column of its file. */
function placeOf(
  text: string,
  start: number,
  end: number,
  from: Pick<TextPart, 'line' | 'column'>,
): Omit<Finding, 'path' | 'rule' | 'what' | 'masked'> {
  let [line, lineStart] = [from.line, 1 - from.column]
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  const column = start - lineStart + 1
  return { line, column, ...endIn(text.slice(start, end).trimEnd(), line, column) }
}

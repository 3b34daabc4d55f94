import path from 'node:path'
import * as z from 'zod'
import { readRegular } from '../../files/read-regular.ts'
import { exactKeys, kind, object, quote, text, Wrong } from './strict-json.ts'

export const mostCitations = 500
const maxFileBytes = 16 * 1024 * 1024

/** Lines of a submission that a judge cites as a reason for a score. */
export interface Citation {
  readonly label: string
  readonly dimension: string
  /** The path of the file, relative to the directory of the label. */
  readonly file: string
  /** The first and the last line, counted from 1. */
  readonly lines: readonly [number, number]
}

/** A citation in the contest's records, with whether the submission has the cited lines. */
export const citationSchema = z.strictObject({
  label: z.string(),
  dimension: z.string(),
  file: z.string(),
  lines: z.tuple([z.int(), z.int()]),
  isFound: z.boolean(),
})
export type FoundCitation = z.output<typeof citationSchema>

export interface CitationRules {
  readonly labels: readonly string[]
  readonly dimensions: readonly string[]
}

/** Returns the `citations` of an answer. Throws Wrong if they do not have the requested form. */
export function readCitations(value: unknown, { labels, dimensions }: CitationRules): readonly Citation[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Wrong(`citations must be a list, not ${kind(value)}`)
  if (value.length > mostCitations) throw new Wrong(`citations has more than ${mostCitations} entries`)
  return value.map((each: unknown, index) => {
    const place = `citations[${index}]`
    const one = object(each, place)
    exactKeys(one, ['label', 'dimension', 'file', 'lines'], [], place)
    return {
      label: oneOf(one['label'], labels, `${place}.label`),
      dimension: oneOf(one['dimension'], dimensions, `${place}.dimension`),
      file: text(one['file'], `${place}.file`).slice(0, 4096),
      lines: lines(one['lines'], `${place}.lines`),
    }
  })
}

function oneOf(value: unknown, allowed: readonly string[], place: string): string {
  if (typeof value !== 'string') throw new Wrong(`${place} must be one of ${allowed.join(', ')}, not ${kind(value)}`)
  if (!allowed.includes(value)) throw new Wrong(`${place} is ${quote(value)}, which is none of ${allowed.join(', ')}`)
  return value
}

function lines(value: unknown, place: string): [number, number] {
  const [first, last, ...more]: unknown[] = Array.isArray(value) ? value : []
  const isLine = (line: unknown): line is number => Number.isSafeInteger(line) && (line as number) >= 1
  if (!isLine(first) || !isLine(last) || last < first || more.length > 0)
    throw new Wrong(`${place} must be the first and the last line, such as [3, 9]`)
  return [first, last]
}

/**
 * Looks each citation up in the files that the judge saw. `directoryOf` returns the directory of a label's submission. Never throws because
 * of a judge's input.
 */
export async function lookedUp(citations: readonly Citation[], directoryOf: (label: string) => string): Promise<FoundCitation[]> {
  const counts = new Map<string, number>()
  const linesIn = async (label: string, file: string): Promise<number> => {
    const key = `${label} ${path.normalize(file)}`
    const known = counts.get(key) ?? (await countLines(directoryOf(label), file))
    counts.set(key, known)
    return known
  }
  const found: FoundCitation[] = []
  // Files are read one at a time, because a judge may name many large files.
  for (const {
    label,
    dimension,
    file,
    lines: [first, last],
  } of citations) {
    // Judges may give the path as it is in their cell.
    const own = file.replace(/^(?:\/contest\/)?submissions\//, '').replace(new RegExp(`^(?:\\./)?${label}/`), '')
    const isFound = (await linesIn(label, own)) >= last || (own !== file && (await linesIn(label, file)) >= last)
    found.push({ label, dimension, file, lines: [first, last], isFound })
  }
  return found
}

async function countLines(directory: string, file: string): Promise<number> {
  const at = path.join(directory, file)
  if (file.includes('\0') || !at.startsWith(directory + path.sep)) return 0
  const read = await readRegular(at, maxFileBytes).catch(() => ({ ok: false as const }))
  if (!read.ok || read.bytes.length === 0) return 0
  const breaks = read.bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
  return breaks + (read.bytes.at(-1) === 10 ? 0 : 1)
}

import { type Document, isMap, isScalar, type LineCounter } from 'yaml'
import * as z from 'zod'
import { nearest } from '../base/nearest.ts'
import { issueWords, valueAt } from './issue-words.ts'
import { type KeyPath, keyText } from './key-path.ts'

/** One error in a YAML file, with its position and a text that continues after the key. */
export interface Problem {
  readonly line: number
  readonly column: number
  /** The key, such as `participants[0].limits.wall`; empty for the file as a whole. */
  readonly key: string
  readonly message: string
}

/** The YAML file that the positions of problems refer to. */
export interface Source {
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

/** The kind of file that the keys belong to. */
export interface KeysOf {
  /** The name of the kind, for example `a contest`. */
  readonly what: string
  /** Old keys with their replacements, such as `participants[].limits.wall`. */
  readonly renamed: Readonly<Record<string, string>>
}

/** Returns a schema's errors as problems with positions. An unknown key comes with its new name, or with the nearest known key. */
export function problemsOf(error: z.ZodError, schema: z.ZodType, data: unknown, source: Source, of: KeysOf): Problem[] {
  const problems = error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((each) => (typeof each === 'symbol' ? String(each) : each))
    if (issue.code !== 'unrecognized_keys') return [problemAt(path, issueWords(issue, valueAt(data, path)), source)]
    const known = keysAt(schema, path)
    return issue.keys.map((key) => {
      const renamed = of.renamed[keyText([...path, key]).replace(/\[\d+\]/g, '[]')]
      const near = nearest(key, known) ?? null
      const fix = renamed !== undefined ? `it is ${renamed} now` : near === null ? `known are ${known.join(', ')}` : `did you mean ${near}?`
      return problemAt([...path, key], `is not a key of ${of.what}; ${fix}`, source)
    })
  })
  return problems.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Returns a problem at a key, or at its parent if the key is missing. */
export function problemAt(path: KeyPath, message: string, source: Source): Problem {
  for (let length = path.length; length >= 0; length -= 1) {
    const offset = offsetOf(path.slice(0, length), source.document)
    if (offset === null) continue
    const { line, col } = source.lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1), key: keyText(path), message }
  }
  return { line: 1, column: 1, key: keyText(path), message }
}

/** Returns the position of the key (not of its value), which is suitable for errors in either. */
function offsetOf(path: KeyPath, document: Document.Parsed): number | null {
  if (path.length === 0) return document.contents?.range?.[0] ?? 0
  const last = path.at(-1)
  const holder = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(holder)) {
    const pair = holder.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(last))
    return isScalar(pair?.key) ? (pair.key.range?.[0] ?? null) : null
  }
  const node: unknown = document.getIn(path, true)
  const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as [number] | null) : null
  return range?.[0] ?? null
}

/** Returns the keys that a schema knows at a path. */
function keysAt(schema: z.ZodType, path: KeyPath): string[] {
  let here: unknown = unwrap(schema)
  for (const part of path) {
    if (here instanceof z.ZodArray) here = unwrap(here.element)
    else if (here instanceof z.ZodRecord) here = unwrap(here.valueType)
    else if (here instanceof z.ZodObject) here = unwrap((here.shape as Record<string, unknown>)[String(part)])
    else return []
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape as object) : []
}

function unwrap(schema: unknown): unknown {
  let inner = schema
  for (;;) {
    if (inner instanceof z.ZodPipe) inner = inner.in
    else if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap()
    else return inner
  }
}

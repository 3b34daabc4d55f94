/**
 * Returns a line of an agent's output as a JSON object; null if the line is not an object. Values that are nested too deep are replaced by a
 * note, because a line that can be parsed can be too deep to be written again.
 */
export function jsonObject(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    const kept = isDeeper(value, deepest) ? cutBelow(value, deepest) : value
    return isObject(kept) ? kept : null
  } catch {
    return null
  }
}

/** The deepest level of a value that is kept. */
const deepest = 100

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '[nested too deep]'
  if (Array.isArray(value)) return value.map((each) => cutBelow(each, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutBelow(each, levels - 1)]))
}

export type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object in a field, or an empty one if there is none. */
export function objectIn(from: JsonObject, field: string): JsonObject {
  const value = Object.hasOwn(from, field) ? from[field] : undefined
  return isObject(value) ? value : {}
}

/** Returns the objects in a field that contains a list. */
export function objectsIn(from: JsonObject, field: string): readonly JsonObject[] {
  const value = Object.hasOwn(from, field) ? from[field] : undefined
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textIn(from: JsonObject, field: string): string | null {
  const value = Object.hasOwn(from, field) ? from[field] : undefined
  return typeof value === 'string' ? value : null
}

/** The maximum values of one line of an agent, so that sums of them can still be stored. */
const [mostCounted, mostUsd] = [1e13, 1e6]

/** Returns a whole number from 0 to `mostCounted`; 0 for anything else. */
export function countIn(from: JsonObject, field: string): number {
  const value = Object.hasOwn(from, field) ? from[field] : undefined
  return typeof value === 'number' && value >= 0 ? Math.min(mostCounted, Math.round(value)) : 0
}

/** Returns a number of US dollars, from 0 to `mostUsd`; 0 for anything else. */
export function usdIn(from: JsonObject, field: string): number {
  const value = Object.hasOwn(from, field) ? from[field] : undefined
  return typeof value === 'number' && value >= 0 ? Math.min(mostUsd, value) : 0
}

const keptCharacters = 65_536

/** Limits the length of a text in an event; the raw output is kept elsewhere. */
export function clip(text: string): string {
  return text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters)}… [${text.length - keptCharacters} more characters]`
}
/** Returns the last line that is not blank, for a message. */
export function lastLine(text: string): string {
  const lines = text.slice(-keptCharacters).split('\n')
  return (lines.findLast((line) => line.trim() !== '') ?? '').trim().slice(0, 1_000)
}

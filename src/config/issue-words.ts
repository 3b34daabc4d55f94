import type * as z from 'zod'
import { nearest } from '../base/nearest.ts'
import type { KeyPath } from './key-path.ts'

/** Returns what is wrong with a value, as a text that continues after its key, such as `must be text, not a list`. */
export function issueWords(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input') ? `must be ${typeWord(issue.expected)}, not ${typeOf(value)}` : issue.message
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `must be one of ${issue.values.map(String).join(', ')}${nearOne(value, issue.values)}`
        : issue.message
    case 'too_small':
      if (!issue.message.startsWith('Too small')) return issue.message
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return issue.message.startsWith('Too big') ? `must be at most ${issue.maximum}${unitOf(issue.origin)}` : issue.message
    default:
      return issue.message
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' long' : ''
}

function nearOne(value: unknown, values: readonly unknown[]): string {
  const near = typeof value === 'string' ? (nearest(value, values.map(String)) ?? null) : null
  return near === null ? '' : `; did you mean ${near}?`
}

function typeWord(expected: string): string {
  const words: Record<string, string> = {
    object: 'a group of keys',
    array: 'a list',
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
  }
  return words[expected] ?? expected
}

function typeOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a group of keys'
  return typeof value === 'string' ? 'text' : `${typeof value === 'number' ? 'the number' : 'the value'} ${String(value)}`
}

/** Returns the value at a path, or undefined if there is none. */
export function valueAt(data: unknown, path: KeyPath): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

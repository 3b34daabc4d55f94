import { createContext, Script } from 'node:vm'
import * as z from 'zod'

const pattern = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, context) => {
    try {
      new RegExp(text, flags)
    } catch (error) {
      const why = (error as Error).message.replace(/^.*\/\w*: /s, '')
      context.addIssue({ code: 'custom', message: `must be a regular expression of JavaScript: ${why}` })
    }
  })
const patterns = z.array(pattern).min(1).max(50)

/** The topics that texts may have. */
export const topicsSchema = z
  .strictObject({
    allow: patterns.optional().describe('Each incoming text must match one of these.'),
    deny: patterns.optional().describe('No incoming text may match one of these; this takes precedence over `allow`.'),
  })
  .refine((value) => value.allow !== undefined || value.deny !== undefined, { error: 'must have allow or deny' })
export type Topics = z.output<typeof topicsSchema>

/** Flags for patterns: case-insensitive, by code points. */
const flags = 'iu'
/**
 * Milliseconds for all patterns on one text together: a pattern can take forever on a text that was made for it. Ordinary patterns take
 * less than one millisecond; the rest is for a busy machine.
 */
const patienceMs = 500

const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
const matches = new Script(`new RegExp(pattern, ${JSON.stringify(flags)}).test(text)`)

/**
 * Returns why the topics refuse a text, as a clause that names the pattern; null if they do not refuse it. A pattern that takes too long
 * refuses the text.
 */
export function topicRefusal(text: string, { allow, deny = [] }: Topics): string | null {
  const end = performance.now() + patienceMs
  for (const each of deny) {
    const found = holds(each, text, end)
    if (found !== false) return found ? `deny has ${each}` : `${each} of deny takes too long on it`
  }
  if (allow === undefined) return null
  for (const each of allow) {
    const found = holds(each, text, end)
    if (found !== false) return found ? null : `${each} of allow takes too long on it`
  }
  return `nothing in allow matches it (${allow.join(', ')})`
}

/** Returns whether a pattern matches; null if the time runs out first. */
function holds(pattern: string, text: string, end: number): boolean | null {
  const left = Math.ceil(end - performance.now())
  if (left <= 0) return null
  Object.assign(context, { pattern, text })
  try {
    return matches.runInContext(context, { timeout: left }) === true
  } catch {
    return null
  } finally {
    Object.assign(context, { pattern: '', text: '' })
  }
}

import { PaddockError } from '../errors.ts'
import { durationRule, parseDuration, parseSize, sizeRule } from '../quantities.ts'

/** Milliseconds of an option's value. */
export function duration(option: string, text: string): number {
  return parseDuration(text) ?? refuse(option, text, durationRule)
}

/** Bytes of an option's value. */
export function size(option: string, text: string): number {
  return parseSize(text) ?? refuse(option, text, sizeRule)
}

export function count(option: string, text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : refuse(option, text, 'a whole number from 1')
}

/** Processors, parts of one included: 0.01 to 10,000. */
export function processors(option: string, text: string): number {
  const value = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  return value >= 0.01 && value <= 10_000 ? value : refuse(option, text, 'a number of processors from 0.01, for example 1.5')
}

function refuse(option: string, text: string, rule: string): never {
  throw new PaddockError('BAD_INPUT', `${option} ${text} cannot be read.`, { hint: `Give ${rule}.` })
}

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

function refuse(option: string, text: string, rule: string): never {
  throw new PaddockError('BAD_INPUT', `${option} ${text} cannot be read.`, { hint: `Give ${rule}.` })
}

import { PaddockError } from '../../base/errors.ts'
import { durationRule, parseDuration, parseSize, sizeRule } from '../../base/quantities.ts'
import type { LimitWishes } from '../../cell/plan/cell-limits.ts'
import type { LimitsInput, RequestInput } from './request-schema.ts'

/** The minimum for starting a cell's program: bubblewrap and the shell that starts the program. */
const leastMemory = 4 * 1024 ** 2
const leastProcesses = 4

/**
 * Parses the limits of a request. `placeOf` names a limit in messages.
 * @throws PaddockError BAD_INPUT
 */
export function readLimits(input: NonNullable<RequestInput['limits']>, placeOf: (key: keyof LimitsInput) => string): LimitWishes {
  const { timeout, silence, memory, pids, cpus, fileSize, disk } = input
  return {
    ...(timeout === undefined ? {} : { timeout: duration(placeOf('timeout'), timeout) }),
    ...(silence === undefined ? {} : { silence: duration(placeOf('silence'), silence) }),
    ...(memory === undefined ? {} : { memory: enough(placeOf('memory'), memory, size, leastMemory, '4MiB') }),
    ...(pids === undefined ? {} : { pids: enough(placeOf('pids'), String(pids), count, leastProcesses) }),
    ...(cpus === undefined ? {} : { cpus: processors(placeOf('cpus'), String(cpus)) }),
    ...(fileSize === undefined ? {} : { fileSize: size(placeOf('fileSize'), fileSize) }),
    ...(disk === undefined ? {} : { disk: size(placeOf('disk'), disk) }),
  }
}

/** Parses a whole number from 1 with at most seven digits. */
export function count(place: string, text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : refuse(place, text, 'a whole number from 1')
}

/** Parses an amount of US dollars above 0. */
export function dollars(place: string, text: string): number {
  const value = Number(text)
  return value > 0 && value <= 1e6 ? value : refuse(place, text, 'a number of US dollars above 0, such as 5')
}

/** Parses a limit. Throws if no cell could start with it. */
function enough(
  place: string,
  text: string,
  read: (place: string, text: string) => number,
  least: number,
  shown: string = String(least),
): number {
  const value = read(place, text)
  if (value >= least) return value
  throw new PaddockError('BAD_INPUT', `${place} ${text} is too small: no cell can start with that.`, { hint: `Give at least ${shown}` })
}

/** Returns a duration in milliseconds. */
export function duration(place: string, text: string): number {
  return parseDuration(text) ?? refuse(place, text, durationRule)
}

/** Returns a size in bytes. */
function size(place: string, text: string): number {
  return parseSize(text) ?? refuse(place, text, sizeRule)
}

/** Returns a number of processors, which may be a fraction. */
function processors(place: string, text: string): number {
  const value = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  return value >= 0.01 && value <= 10_000 ? value : refuse(place, text, 'a number of processors from 0.01 to 10000, for example 1.5')
}

function refuse(place: string, text: string, rule: string): never {
  if (/^0+(?:\.0+)?[A-Za-z]*$/.test(text))
    throw new PaddockError('BAD_INPUT', `${place} ${text} must be more than zero.`, { hint: `Give ${rule}` })
  throw new PaddockError('BAD_INPUT', `${place} ${text} cannot be read.`, { hint: `Give ${rule}` })
}

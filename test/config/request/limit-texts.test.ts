import { expect, test } from 'vitest'
import { readLimits } from '../../../src/config/request/limit-texts.ts'

const place = (key: string): string => `--${key}`

test('7: a limit that is too small for any cell is refused with the least value', () => {
  const least = (hint: string) => expect.objectContaining({ code: 'BAD_INPUT', hint })
  expect(() => readLimits({ memory: '1KiB' }, place)).toThrow(least('Give at least 4MiB'))
  expect(() => readLimits({ memory: '1KiB' }, place)).toThrow('--memory 1KiB is too small: no cell can start with that.')
  expect(() => readLimits({ pids: 3 }, place)).toThrow(least('Give at least 4'))
  expect(readLimits({ memory: '4MiB', pids: 4 }, place)).toEqual({ memory: 4 * 1024 ** 2, pids: 4 })
})

test('7: a number of processors that is too large is refused with both bounds', () => {
  expect(() => readLimits({ cpus: '100000' }, place)).toThrow(
    expect.objectContaining({ hint: 'Give a number of processors from 0.01 to 10000, for example 1.5' }),
  )
})

test('a limit of zero is refused with what it must be', () => {
  const read = (limits: Parameters<typeof readLimits>[0]) => () => readLimits(limits, (key) => `--${key}`)
  expect(read({ timeout: '0s' })).toThrow('--timeout 0s must be more than zero.')
  expect(read({ disk: '0.0MiB' })).toThrow('--disk 0.0MiB must be more than zero.')
  expect(read({ timeout: '0 apples' })).toThrow('--timeout 0 apples cannot be read.')
})

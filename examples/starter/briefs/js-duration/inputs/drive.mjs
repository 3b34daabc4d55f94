import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const cases = {
  ordinary: {
    parse: ['1h30m', ' 2d  4s ', '45s', '90m', '1d 2h 3m 4s', '10h 5s', '007m', '30m 1h', '1h 1h', '', '5', 'h', '1.5h', '-1h', '1h30'],
    format: [0, 1, 59, 60, 61, 3600, 5400, 86_399, 86_400, 93_784, 172_804, -1, 1.5],
  },
  corners: {
    parse: [
      ...['999999d999999h999999m999999s', '1234567s', '0s', '0d0h', '   ', '1 h', '1h\t2m', '1h\n', '1H', '١h', '1h,2m', '+1h', '1h 2m 3', '1e3s', '1ms', '1hh', '2m1d'],
      ...['000000s', '0000001s', '1h2m 3s', 'd1', '1_000s', '\u00a01h', 60, null, undefined, ['1h'], { toString: '1h' }],
    ],
    format: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY, 1e-9, 86_401, 90_000, 3601, '60', null, undefined, 604_800],
  },
}
const [, , group, to] = process.argv
const { parseDuration, formatDuration } = await import(pathToFileURL(path.resolve('duration.mjs')).href)
const outcome = (act) => {
  try {
    const value = act()
    return `${typeof value} ${String(value)}`
  } catch (error) {
    return error instanceof RangeError ? 'RangeError' : 'another error'
  }
}
const lines = [
  ...cases[group].parse.map((each, at) => `parse ${at}: ${outcome(() => parseDuration(each))}`),
  ...cases[group].format.map((each, at) => `format ${at}: ${outcome(() => formatDuration(each))}`),
]
writeFileSync(path.join(to, 'outcomes.txt'), `${lines.join('\n')}\n`)

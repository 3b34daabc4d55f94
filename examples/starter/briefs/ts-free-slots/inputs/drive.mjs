import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const slots = (...pairs) => pairs.map(([from, to]) => ({ from, to }))
const day = { from: 540, to: 1020 }
const cases = {
  ordinary: [
    [day, [], 30],
    [day, slots([600, 660], [720, 780]), 30],
    [day, slots([720, 780], [600, 660]), 30],
    [day, slots([540, 600], [960, 1020]), 30],
    [day, slots([600, 660], [690, 780]), 30],
    [day, slots([600, 660], [689, 780]), 30],
    [day, slots([600, 800], [650, 700]), 30],
    [day, slots([600, 700], [650, 750], [700, 720]), 60],
    [{ from: 0, to: 1440 }, slots([1000, 1010], [90, 100], [200, 300]), 15],
    [day, slots([540, 1020]), 1],
  ],
  corners: [
    [day, slots([0, 600], [900, 1440]), 1],
    [day, slots([0, 540], [1020, 1100]), 480],
    [day, slots([0, 100], [1300, 1400]), 1],
    [day, slots([0, 2000]), 1],
    [day, slots([700, 700]), 300],
    [day, slots([800, 700]), 300],
    [day, slots([600, 600], [600, 660], [660, 600]), 61],
    [{ from: 600, to: 600 }, [], 1],
    [{ from: 700, to: 600 }, slots([610, 620]), 1],
    [day, slots([1100, 1200]), 1],
    [day, slots([600, 610], [600, 610], [600, 605]), 410],
    [{ from: 0, to: 10 }, slots([1, 2], [3, 4], [5, 6], [7, 8]), 1],
    [{ from: 5, to: 15 }, slots([9, 10], [10, 11], [2, 6]), 3],
    [day, slots([541, 1019]), 1],
  ],
}
const [, , group, to] = process.argv
const { freeSlots, longestFree } = await import(pathToFileURL(path.resolve('slots.ts')).href)
const shown = (value) => (value === null ? 'null' : [value].flat().map((each) => `${each.from}-${each.to}`).join(' '))
const outcome = (act, given) => {
  const before = JSON.stringify(given)
  try {
    const value = shown(act())
    return `${value}${JSON.stringify(given) === before ? '' : ' (changed its arguments)'}`
  } catch {
    return 'error'
  }
}
const lines = cases[group].flatMap(([of, busy, minutes], at) => [
  `free ${at}: ${outcome(() => freeSlots(of, busy, minutes), [of, busy])}`,
  `longest ${at}: ${outcome(() => longestFree(of, busy), [of, busy])}`,
])
writeFileSync(path.join(to, 'outcomes.txt'), `${lines.join('\n')}\n`)

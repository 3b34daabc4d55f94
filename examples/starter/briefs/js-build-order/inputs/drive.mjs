import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The same numbers on every machine. */
const numbers = (seed) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return seed / 2 ** 32
}
const random = (seed, count, perTask, back = 0) => {
  const next = numbers(seed)
  const name = (at) => `t${(Math.imul(at + 1, 2_654_435_761) >>> 0).toString(36)}`
  const tasks = []
  for (let at = 0; at < count; at += 1) {
    const needs = []
    for (let k = 0; k < perTask && at > 0; k += 1) needs.push(name(Math.floor(next() * at)))
    if (next() < back) needs.push(name(at + Math.floor(next() * Math.min(5, count - at))))
    tasks.push([name(at), needs])
  }
  return tasks
}
const chain = (length) => Array.from({ length }, (_, at) => [`c${at}`, at + 1 < length ? [`c${at + 1}`] : []])
const ring = (length) => Array.from({ length }, (_, at) => [`r${at}`, [`r${(at + 1) % length}`]])
const cases = {
  ordinary: [
    () => [],
    () => [['a', []]],
    () => [['app', ['lib', 'css']], ['lib', ['core']]],
    () => [['b', []], ['a', []], ['c', ['a']]],
    () => [['a', ['z']], ['b', []], ['z', ['y']]],
    () => [['a', ['b']], ['b', ['a']]],
    () => [['a', ['b', 'b']], ['a', ['c']], ['c', []]],
    () => [['a', ['b']], ['b', ['c']], ['c', ['b']], ['d', ['a']]],
    () => [['a', ['a']], ['b', []]],
    () => random(7, 60, 2),
    () => random(11, 60, 2, 0.2),
    () => [['B', []], ['a', []], ['10', []], ['9', []], ['_', []]],
  ],
  corners: [
    () => [['constructor', ['__proto__']], ['toString', ['constructor']], ['hasOwnProperty', []]],
    () => [['é', []], ['z', []], ['\u{1f600}', []], ['\uff5e', []], ['Z', []], [' ', []]],
    () => chain(100_000),
    () => ring(100_000),
    () => random(3, 100_000, 2),
    () => random(5, 50_000, 2, 0.0001),
    () => Array.from({ length: 100_000 }, (_, at) => [`w${(at * 7919) % 100_000}`, at % 2 === 0 ? ['hub'] : []]),
    () => [['a', ['b', 'c']], ['b', ['a']], ['c', ['d']], ['d', ['c']], ['e', ['a', 'd']], ['f', []]],
    () => [['a', []], ['a', ['a']]],
    () => [['10', ['2']], ['2', []], ['1', ['10']]],
    () => [['x', ['y']], ['x', ['y']], ['y', ['w']], ['m', ['x', 'x']]],
    () => [['mid', ['l']], ['l', ['l2']], ['l2', ['l']], ['r', ['mid']], ['r2', ['r']], ['r', ['r2']]],
  ],
}
const [, , group, at, to] = process.argv
const tasks = cases[group][Number(at)]()
const before = JSON.stringify(tasks)
const { buildOrder } = await import(pathToFileURL(path.resolve('order.mjs')).href)
const shown = (list) => (list.length > 100 ? `${list.length} names, ${hash('sha256', JSON.stringify(list))}` : JSON.stringify(list))
let text
try {
  text = `order ${shown(buildOrder(tasks))}`
} catch (error) {
  text = Array.isArray(error?.cycle) ? `cycle ${shown(error.cycle)}` : 'another error'
}
writeFileSync(to, `${text}${JSON.stringify(tasks) === before ? '' : ' (changed its argument)'}\n`)

// Compares what ./summarise of a submission printed for one hidden case with the right result. It sees nothing else of the submission.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const large = () => {
  const cents = [0, 0, 0, 0]
  for (let order = 0; order < 3000; order += 1) cents[order % 4] += (order * 7919) % 10_000
  const money = (value) => (value / 100).toFixed(2)
  const [Bergen, Bodø, Oslo, Tromsø] = cents.map(money)
  return { orders: 3000, total: money(cents.reduce((sum, each) => sum + each)), cities: { Bergen, Bodø, Oslo, Tromsø } }
}
const expected = {
  plain: { orders: 3, total: '61.25', cities: { Bergen: '20.00', Oslo: '41.25' } },
  quoting: { orders: 3, total: '8.50', cities: { 'Mo i Rana, Nordland': '5.00', Oslo: '3.50' } },
  money: { orders: 4, total: '-0.04', cities: { Bergen: '-0.05', Oslo: '0.01' } },
  large: large(),
}

const name = process.argv[2]
try {
  assert.equal(process.env.PADDOCK_RUN_EXIT, '0', `summarise ended with ${process.env.PADDOCK_RUN_EXIT}`)
  const answer = JSON.parse(readFileSync('/result/answer.json', 'utf8'))
  assert.deepEqual(answer, expected[name])
  assert.deepEqual(Object.keys(answer.cities), Object.keys(answer.cities).toSorted(), 'the cities are not sorted')
  console.log(`${name}: right`)
} catch (error) {
  console.log(`${name}: wrong\n${error.message}`)
  process.exit(1)
}

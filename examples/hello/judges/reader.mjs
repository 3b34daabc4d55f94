// A judge that reads: is there an explanation, can the code be followed, and does summary.json agree with the material?
import { readFileSync } from 'node:fs'
import { answer, files, labels, run, speedScore } from './submissions.mjs'

// Calculated by hand from /contest/raw/orders.csv.
const known = { orders: 15, total: '306.05', cities: { Bergen: '149.00', 'Mo i Rana, Nordland': '63.00', Oslo: '80.20', Stavanger: '10.70', Tromsø: '3.15' } }
const material = readFileSync('/contest/raw/orders.csv', 'utf8')

const judgements = {}
for (const label of labels) {
  const { summarise = '', 'summary.json': handedIn = '', 'README.md': readme } = files(label)
  const { answer: given, seconds } = run(label, material)
  const lines = summarise.split('\n')
  const told = lines.filter((line) => /^\s*(\/\/|\/?\*|#(?!!))/.test(line)).length / lines.length
  const long = lines.filter((line) => line.length > 120).length
  const notes = []

  const facts = Object.entries(known.cities).filter(([city, sum]) => given?.cities?.[city] === sum).length
  const whole = Number(given?.orders === known.orders) + Number(given?.total === known.total)
  notes.push(`${facts} of 5 cities and ${whole} of 2 totals are right`)
  const same = safely(() => JSON.stringify(JSON.parse(handedIn)) === JSON.stringify(given))
  if (!same) notes.push('its summary.json is not what its program prints')

  let clarity = 4
  if (readme) clarity += 2
  else notes.push('nothing tells how to use it')
  if (told > 0.04) clarity += 2
  else notes.push('hardly a comment')
  if (long === 0) clarity += 2
  else notes.push(`${long === 1 ? 'one line is' : `${long} lines are`} longer than a screen is wide`)
  if (lines.filter((line) => /^\s*(function|const \w+ = \()/.test(line)).length === 0 && lines.length > 25) clarity -= 2

  judgements[label] = {
    scores: { correctness: Math.round(((facts + whole) / 7) * (same ? 100 : 90)) / 10, clarity, speed: speedScore(seconds) },
    review: `${notes.join('; ')}.`,
  }
  console.log(`${label}: ${notes[0]}`)
}
answer(judgements, 'The sums were compared with ones worked out by hand; the rest is how it reads.')

function safely(act) {
  try {
    return act()
  } catch {
    return false
  }
}

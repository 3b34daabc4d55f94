// A judge that makes up orders, adds them up in whole cents, and compares every sum.
import { answer, files, labels, run, speedScore } from './submissions.mjs'

const cities = ['Bodø', 'Bergen', 'Oslo', 'Å', 'Mo i Rana, Nordland', 'Sted "ved sjøen"']
let state = 12_345
/** Returns the same numbers in every run (Numerical Recipes, "quick and dirty"). */
const below = (n) => {
  state = (1_664_525 * state + 1_013_904_223) % 2 ** 32
  return Math.floor((state / 2 ** 32) * n)
}
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const amount = (cents) => `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

const books = [40, 40, 40, 40, 40, 40, 40, 1000].map((length) => {
  const rows = Array.from({ length }, (_, order) => ({ order, city: cities[below(cities.length)], cents: below(20_000) - 2_000 }))
  const sums = {}
  for (const { city, cents } of rows) sums[city] = (sums[city] ?? 0) + cents
  const text = rows.map(({ order, city, cents }) => `${order},${quoted(city)},Cup,${amount(cents)}\n`).join('')
  return { csv: `order,city,item,amount\n${text}`, sums: Object.entries(sums).map(([city, cents]) => [city, amount(cents)]) }
})

const judgements = {}
for (const label of labels) {
  let [right, all, whole, slowest] = [0, 0, 0, 0]
  for (const { csv, sums } of books) {
    const { answer: given, seconds } = run(label, csv)
    all += sums.length
    const same = sums.filter(([city, sum]) => given?.cities?.[city] === sum).length
    right += same
    whole += Number(same === sums.length)
    slowest = Math.max(slowest, seconds)
  }
  const { 'README.md': readme = '', summarise = '' } = files(label)
  const lines = summarise.split('\n')
  judgements[label] = {
    scores: {
      // A file with one wrong sum is wrong, but less wrong than one with many.
      correctness: Math.round((right / all + whole / books.length) * 50) / 10,
      clarity: lines.some((line) => line.length > 160) ? 2 : readme === '' ? 7 : 8,
      speed: speedScore(slowest),
    },
    review: `${right} of ${all} sums are right, to the cent, and ${whole} of ${books.length} files.`,
  }
  console.log(`${label}: ${right} of ${all} sums`)
}
answer(judgements, 'Seven files of 40 made-up orders and one of 1,000, the same for everybody, were added up in whole cents and compared.')

// A judge that believes only what it has tested: it runs each submission on cases made from the brief.
import { isDeepStrictEqual } from 'node:util'
import { answer, files, labels, run, speedScore } from './submissions.mjs'

const head = 'order,city,item,amount\n'
const trials = [
  ['one order', `${head}1,Oslo,Cup,1.00\n`, { orders: 1, total: '1.00', cities: { Oslo: '1.00' } }],
  ['no order', head, { orders: 0, total: '0.00', cities: {} }],
  ['no line end at the end', `${head}1,Oslo,Cup,1.50`, { orders: 1, total: '1.50', cities: { Oslo: '1.50' } }],
  ['a comma in quotes', `${head}1,Oslo,"Cup, red",1.00\n`, { orders: 1, total: '1.00', cities: { Oslo: '1.00' } }],
  ['doubled quotes', `${head}1,Oslo,"a ""b"" c",4.00\n`, { orders: 1, total: '4.00', cities: { Oslo: '4.00' } }],
  ['a line break in quotes', `${head}1,Oslo,"a\nb",2.00\n`, { orders: 1, total: '2.00', cities: { Oslo: '2.00' } }],
  ['a refund', `${head}1,Oslo,Cup,1.00\n2,Oslo,Cup,-3.00\n`, { orders: 2, total: '-2.00', cities: { Oslo: '-2.00' } }],
  ['sorted cities', `${head}1,Oslo,x,1\n2,Bergen,x,1\n`, { orders: 2, total: '2.00', cities: { Bergen: '1.00', Oslo: '1.00' } }],
]
const many = head + Array.from({ length: 2000 }, (_, order) => `${order},${order % 2 ? 'Oslo' : 'Bergen'},Cup,0.10\n`).join('')

const judgements = {}
for (const label of labels) {
  const failed = trials.filter(([, input, expected]) => {
    const given = run(label, input).answer
    return !isDeepStrictEqual(given, expected) || !isDeepStrictEqual(Object.keys(given.cities), Object.keys(expected.cities))
  })
  const { answer: sums, seconds } = run(label, many)
  const right = trials.length - failed.length
  const source = files(label).summarise ?? ''
  const longest = Math.max(...source.split('\n').map((line) => line.length))
  console.log(`${label}: ${right} of ${trials.length} trials right`)
  judgements[label] = {
    scores: {
      // Squared, because a program that is only sometimes right is less than half as good as one that is right.
      correctness: Math.round((right / trials.length) ** 2 * (sums?.total === '200.00' ? 100 : 80)) / 10,
      clarity: longest <= 120 ? 8 : longest <= 200 ? 5 : 2,
      speed: speedScore(seconds),
    },
    review: `${right} of ${trials.length} trials right${failed.length ? `; wrong for: ${failed.map(([name]) => name).join(', ')}` : ''}. 2,000 orders took ${seconds < 1 ? 'less than a second' : `about ${Math.round(seconds)} s`}.`,
  }
}
answer(judgements, 'Every submission was run on the same eight small cases and one of 2,000 orders.')

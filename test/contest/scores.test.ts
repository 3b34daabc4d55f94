import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { duplicateKey } from '../../src/contest/judging/duplicate-keys.ts'
import { parseScores, type ScoreRules } from '../../src/contest/judging/scores.ts'

const rules: ScoreRules = { labels: ['A', 'B'], dimensions: ['quality', 'constructor'], scale: { min: 1, max: 5 } }
const good = { A: { quality: 1, constructor: 5 }, B: { quality: 2.5, constructor: 3 } }
const parse = (text: string | Uint8Array) => parseScores(typeof text === 'string' ? Buffer.from(text) : text, rules)
const problem = (text: string | Uint8Array): string => {
  const result = parse(text)
  return result.ok ? 'ok' : result.problem
}

test('a complete answer is accepted', () => {
  expect(parse(JSON.stringify({ scores: good, reviews: { A: 'fine' }, comment: 'close' }))).toEqual({
    ok: true,
    scores: { scores: good, reviews: { A: 'fine' }, comment: 'close', citations: [] },
  })
})

const whole = (change: (scores: Record<string, Record<string, unknown>>) => unknown): string => {
  const scores = structuredClone(good) as Record<string, Record<string, unknown>>
  return JSON.stringify({ scores: change(scores) ?? scores })
}

describe('each of these is one sentence', () => {
  test.each([
    ['nothing', '', 'scores.json is empty'],
    ['prose', 'Both are good. A wins.', 'scores.json is not JSON'],
    ['a fence around it', '```json\n{}\n```', 'scores.json is not JSON'],
    ['a list', JSON.stringify([good]), 'scores.json must be an object, not a list'],
    ['a list of scores', JSON.stringify({ scores: [1, 2] }), 'scores must be an object, not a list'],
    ['null', 'null', 'scores.json must be an object, not null'],
    ['NaN', '{"scores":{"A":{"quality":NaN}}}', 'JSON has no NaN or Infinity'],
    [
      'Infinity by exponent',
      whole((s) => void Object.assign(s['A'] ?? {}, { quality: '@' })).replace('"@"', '1e999'),
      'scores.A.quality is Infinity',
    ],
    [
      'text for a number',
      whole((s) => void Object.assign(s['A'] ?? {}, { quality: '4' })),
      'scores.A.quality must be a number from 1 to 5, not text',
    ],
    ['nested', whole((s) => void Object.assign(s['A'] ?? {}, { quality: { score: 4 } })), 'not an object'],
    ['below the scale', whole((s) => void Object.assign(s['B'] ?? {}, { quality: 0 })), 'scores.B.quality is 0, which is not from 1 to 5'],
    ['above the scale', whole((s) => void Object.assign(s['B'] ?? {}, { quality: 99 })), 'scores.B.quality is 99'],
    ['another label', whole((s) => ({ ...s, C: good.A })), 'scores has "C", which is not expected'],
    ['a missing label', whole(({ A }) => ({ A })), 'scores is missing B'],
    ['labels in lower case', whole(({ A, B }) => ({ a: A, b: B })), 'scores is missing A, B'],
    ['another dimension', whole((s) => void Object.assign(s['A'] ?? {}, { style: 3 })), 'scores.A has "style"'],
    ['a missing dimension', whole((s) => void delete s['A']?.['quality']), 'scores.A is missing quality'],
    ['a dimension that only its prototype has', whole((s) => void delete s['A']?.['constructor']), 'scores.A is missing constructor'],
    [
      'a key twice',
      '{"scores":{"A":{"quality":1,"quality":5,"constructor":1},"B":{"quality":1,"constructor":1}}}',
      'has the key "quality" twice',
    ],
    ['a key twice, once with an escape', '{"scores":{},"\\u0073cores":{}}', 'has the key "scores" twice'],
    ['more than was asked for', JSON.stringify({ scores: good, winner: 'A' }), '"winner", which is not expected'],
    ['a review of an unknown label', JSON.stringify({ scores: good, reviews: { Z: 'x' } }), 'reviews has "Z"'],
    ['a review that is not text', JSON.stringify({ scores: good, reviews: { A: 3 } }), 'reviews.A must be text, not a number'],
    ['a review without end', JSON.stringify({ scores: good, reviews: { A: 'x'.repeat(60_000) } }), 'longer than 50000'],
    ['a prototype', '{"scores":{},"__proto__":{"scores":{}}}', 'scores.json has "__proto__"'],
  ])('%s', (_name, text, expected) => {
    expect(problem(text)).toContain(expected)
    expect(problem(text)).not.toContain('\n')
  })

  test('bytes that are not UTF-8', () => {
    expect(problem(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('scores.json is not UTF-8')
  })

  test('more than a mebibyte', () => {
    expect(problem(Buffer.alloc(1024 * 1024 + 1, 0x20))).toBe('scores.json is larger than 1 MiB')
  })

  test('as deep as bytes allow', () => {
    expect(problem('['.repeat(500_000))).not.toBe('ok')
    expect(problem(`{"scores":${'{"A":'.repeat(50_000)}1${'}'.repeat(50_000)}}`)).not.toBe('ok')
  })
})

test('any bytes give a problem or a complete set of scores in the scale', () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -1, max: 7 }), fc.constantFrom('3', null, true, [3]))
  const near = fc.record(
    {
      scores: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.dictionary(fc.constantFrom('quality', 'constructor', 'style'), number)),
      ),
      reviews: fc.jsonValue(),
      comment: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string().map((each) => Buffer.from(each)),
        near.map((each) => Buffer.from(JSON.stringify(each))),
      ),
      (bytes) => {
        const result = parseScores(bytes, rules)
        if (!result.ok) {
          expect(result.problem).toMatch(/^[^\n]+$/)
          return
        }
        expect(Object.keys(result.scores.scores).toSorted()).toEqual(['A', 'B'])
        for (const each of Object.values(result.scores.scores)) {
          expect(Object.keys(each).toSorted()).toEqual(['constructor', 'quality'])
          for (const value of Object.values(each)) expect(value >= 1 && value <= 5).toBe(true)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('no JSON that was made from a value has a key twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(duplicateKey(JSON.stringify(value))).toBeNull()
    }),
  )
  expect(duplicateKey('[{"a":1},{"a":{"a":2}},"a"]')).toBeNull()
  expect(duplicateKey('{"x":[{"k":"}{,\\"","k":2}]}')).toBe('k')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readYaml } from '../../src/config/yaml.ts'

const problems = (text: string) => {
  const read = readYaml(text)
  return 'problems' in read ? read.problems.map((each) => `${each.line}:${each.column} ${each.message}`) : []
}

test.each([
  ['a second document', 'a: 1\n---\nb: 2\n', '2:1 begins a second document (---); keep one'],
  ['an alias of nothing', 'a: 1\nb: *none\n', '2:4 *none names no anchor before it'],
  ['a set', 'a: !!set {copy}\n', '1:10 has a tag (!!); write the value without it'],
  ['a tag of its own', 'a: !mine x\n', /1:\d+ Unresolved tag: !mine/],
  ['a forbidden name', 'agents:\n  __proto__: { a: 1 }\n', '2:3 __proto__ cannot be used as a name'],
  ['a repeated key', 'a: 1\nb: { c: 1, "c": 2 }\na: 3\n', '3:1 Map keys must be unique'],
  ['an alias in its own anchor', 'a: &x [*x]\n', '1:8 *x is in what it stands for'],
  ['too many aliases', `a: &a x\nb: [${'*a, '.repeat(101)}]\n`, '1:1 has more than 100 aliases (*)'],
  ['too many words', `[${'a,'.repeat(100_000)}]`, '1:1 is too large: more than 200,000 words and marks'],
  ['depth', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, /^1:\d+ is nested too deeply$/],
])('%s is reported with its place', (_, text, expected) => {
  expect(problems(text)[0]).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
})

test('plain tags and resolved aliases are taken', () => {
  expect(readYaml('a: !!str 1\nb: &x [1]\nc: *x\n')).toMatchObject({ data: { a: '1', b: [1], c: [1] } })
})

test('aliases within the limit are taken', () => {
  expect(problems(`a: &a x\nb: [${'*a, '.repeat(90)}]\n`)).toEqual([])
})

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '*a',
    '&a ',
    '!!set ',
    '!x',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '---',
    '...',
    '%YAML 1.1\n',
    '#',
    '\t',
    '?',
    '<<',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => void readYaml(pieces.join(''))),
    { numRuns: 3_000 },
  )
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { inputNames, jobInputs, words } from '../../ci/job-inputs.ts'

const given = (inputs: Readonly<Record<string, string>>) => jobInputs((name) => inputs[name] ?? '')

describe('words', () => {
  test.each([
    ['-- npm test', ['--', 'npm', 'test']],
    ['', []],
    ['-- sh -c \'echo "a b"\'\n  --quiet', ['--', 'sh', '-c', 'echo "a b"', '--quiet']],
    [String.raw`"a \"b\" \n $HOME" c\ d ''`, [String.raw`a "b" \n $HOME`, 'c d', '']],
    ['`id` $(id) *', ['`id`', '$(id)', '*']],
  ])('%j are split as a shell does, and nothing is expanded', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test.each(["'a", '"a', 'a\\'])('an open quote is refused: %j', (text) => {
    expect(() => words(text)).toThrow(/Input args: .* is not complete/)
  })
})

test('inputs have defaults, and lists have one item a line', () => {
  expect(given({ args: '-- true' })).toMatchObject({ command: 'run', directory: '.', fix: true, trust: false, forkCredentials: false })
  expect(
    given({ command: 'compare', base: 'last', 'fail-if': 'worse by 3\n\ncost worse by 20%\n', budget: '5', timeout: '30m' }),
  ).toMatchObject({
    failIf: ['worse by 3', 'cost worse by 20%'],
    budget: 5,
    timeoutMs: 1_800_000,
  })
})

test.each([
  [{ command: 'rnu' }, 'Input command: "rnu" is not a command.'],
  [{}, 'Input args: an agent or a command is missing.'],
  [{ command: 'compare' }, 'Input base: the earlier run is missing.'],
  [{ command: 'verify', prompt: 'x' }, 'Input prompt: the command verify does not take it.'],
  [{ command: 'verify', budget: '5' }, 'Input budget: the command verify does not take it.'],
  [{ command: 'suite', budget: '0' }, 'Input budget: "0" is not a number of US dollars above 0.'],
  [{ command: 'suite', timeout: '5' }, 'Input timeout: "5" is not a duration.'],
  [{ command: 'suite', trust: 'yes' }, 'Input trust: "yes" is neither true nor false.'],
])('%j is refused with one sentence', (inputs, message) => {
  expect(() => given(inputs)).toThrow(message)
})

test('action.yml and the component of GitLab have these inputs', () => {
  const file = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const action = parse(file('action.yml')) as { inputs: object; runs: { main: string } }
  expect(Object.keys(action.inputs)).toEqual([...inputNames])
  const [head] = parseAllDocuments(file('templates/paddock.yml'))
  const { spec } = (head?.toJSON() ?? {}) as { spec: { inputs: object } }
  expect(Object.keys(spec.inputs).filter((each) => each !== 'job' && each !== 'stage')).toEqual(
    inputNames.filter((each) => each !== 'report'),
  )
  for (const name of inputNames.filter((each) => each !== 'report'))
    expect(file('templates/paddock.yml')).toContain(
      `PADDOCK_CI_${name.toUpperCase().replaceAll('-', '_')}: { value: "$[[ inputs.${name} ]]", expand: false }`,
    )
})

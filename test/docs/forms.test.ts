// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { expect, test } from 'vitest'
import { faultsOfForms, formsOf, formsOfSources } from './forms.ts'

test('every message and every hint has its form', () => {
  const forms = formsOfSources('src/**/*.ts')
  expect(forms.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(400)
  expect(forms.filter(({ kind }) => kind === 'hint').length).toBeGreaterThan(400)
  expect(faultsOfForms(forms)).toEqual([])
})

test.each([
  ["new PaddockError('BAD_INPUT', 'There is no agent x')", 'ends without a period'],
  ["new PaddockError('BAD_INPUT', 'there is no agent x.')", 'begins neither'],
  ["const it = { hint: 'Name another one.' }", 'ends with a period'],
  ["const no = (what: string) => new PaddockError('BAD_INPUT', `x: ${what}`); no('no such host')", 'ends without a period'],
  ["const no = (what: string, hint: string) => fail(what, hint); no('x', 'Name another one.')", 'ends with a period'],
  ["const it = { hint: isOne ? 'Name another one' : `name ${other}` }", 'begins with a small letter'],
])('%s is found', (source, fault) => {
  expect(faultsOfForms(formsOf('x.ts', source))).toEqual([expect.stringContaining(fault)])
})

test.each([
  'new PaddockError(\'BAD_INPUT\', `participants[1].agent: "${name}" is not an agent.`)',
  "new PaddockError('BAD_INPUT', 'git is not installed.', { hint: 'Run: apt-get install git' })",
  "const it = { hint: near === null ? 'paddock agent ls' : `Did you mean ${near}?` }",
])('%s has its form', (source) => {
  const forms = formsOf('x.ts', source)
  expect(forms).not.toEqual([])
  expect(faultsOfForms(forms)).toEqual([])
})

import { expect, test } from 'vitest'
import { faults, habits, namesOfTests, proseOfDocuments, proseOfSources } from './english.ts'

test('documents have none of the habits to drop', () => {
  expect(faults(proseOfDocuments())).toEqual([])
})

test.each(['src', 'web'])('messages, hints, help and comments of %s have none of them', (folder) => {
  const prose = proseOfSources([`${folder}/**/*.ts`, `${folder}/**/*.tsx`])
  expect(prose.length).toBeGreaterThan(300)
  expect(faults(prose)).toEqual([])
})

test('names of tests have none of them', () => {
  const names = namesOfTests()
  expect(names.length).toBeGreaterThan(2_000)
  expect(faults(names)).toEqual([])
})

test('each habit is found where it is', () => {
  const examples: Readonly<Record<string, string>> = {
    told: 'It is off unless told otherwise.',
    'alone behind its noun': 'It is swapped at its hosts alone.',
    said: 'What it asks for is said in words.',
    'is no X': 'This is no file.',
    'where for a condition': 'Null where there is none.',
    'a relative clause as subject': 'Whoever has it unlocked may read it.',
    'means nothing': '-m means nothing without --commit.',
    mend: 'Mend that, and run it again.',
    'stands, lies, let be': 'A link stands in the way.',
    'take over': 'It is taken over into the project.',
    inverted: 'Of yours, only the project is seen.',
    'three half sentences': 'The file is read by us; then it is hashed twice; then it is written; and kept.',
    'words for names': 'However it is spelt.',
    metaphors: 'The house has one door.',
    'one word for one thing': 'The cell has a stand-in.',
  }
  expect(Object.keys(examples).toSorted()).toEqual(habits.map(({ name }) => name).toSorted())
  for (const { name } of habits)
    expect(
      faults(
        [{ file: 'x', line: 1, text: examples[name] ?? '' }],
        habits.filter((each) => each.name === name),
      ).length,
      name,
    ).toBe(1)
})

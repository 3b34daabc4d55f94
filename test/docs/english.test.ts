import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faults, habits, proseOfDocuments, proseOfSources, root } from './english.ts'

/** Folders of src that have none of the habits any more. */
const clean = readdirSync(path.join(root, 'src')).filter((each) => ['guarantees', 'acp', 'mcp'].includes(each))

test('documents have none of the habits to drop', () => {
  expect(faults(proseOfDocuments())).toEqual([])
})

test.each(clean)('src/%s has none of them either', (folder) => {
  expect(faults(proseOfSources([`src/${folder}/**/*.ts`]))).toEqual([])
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

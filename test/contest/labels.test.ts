import { stat } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInstructionFile } from '../../src/agents/instruction-files.ts'
import { disarm } from '../../src/contest/judging/disarm.ts'
import { dealLabels, labelAt, readMapping, shuffled, writeMapping } from '../../src/contest/judging/labels.ts'
import { temporary } from '../support/temporary.ts'

test('labels go on after Z, and none comes twice', () => {
  expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(labelAt)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA'])
  expect(new Set(Array.from({ length: 2000 }, (_, index) => labelAt(index))).size).toBe(2000)
})

test('dealing is a permutation, for the labels and for each judge', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 5 }), (count, judges) => {
      const submissions = Array.from({ length: count }, (_, index) => ({ participant: `p${index}`, tree: `t${index}` }))
      const names = Array.from({ length: judges }, (_, index) => `j${index}`)
      const mapping = dealLabels({ judging: 1, round: 1 }, submissions, names)
      const labels = submissions.map((_, index) => labelAt(index))
      expect(mapping.submissions.map((each) => each.label)).toEqual(labels)
      expect(mapping.submissions.map((each) => each.participant).toSorted()).toEqual(submissions.map((each) => each.participant).toSorted())
      for (const each of mapping.submissions) expect(each.tree).toBe(each.participant.replace('p', 't'))
      expect(Object.keys(mapping.orders)).toEqual(names)
      for (const order of Object.values(mapping.orders)) expect(order.toSorted()).toEqual(labels.toSorted())
    }),
  )
})

test('every order of three comes up, none much more often than another', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 6000; index += 1) {
    const order = shuffled(['a', 'b', 'c']).join('')
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  expect(counts.size).toBe(6)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250)
})

test('the mapping is for its owner only', async () => {
  await using at = await temporary()
  const mapping = dealLabels({ judging: 1, round: 1 }, [{ participant: 'x', tree: 't' }], ['j'])
  await writeMapping(at.at('1/mapping.json'), mapping)
  expect((await stat(at.at('1/mapping.json'))).mode & 0o777).toBe(0o600)
  expect(await readMapping(at.at('1/mapping.json'))).toEqual(mapping)
  expect(await readMapping(at.at('none'))).toBeNull()
})

test('instruction files of agents get names that nobody loads', () => {
  const files = [
    'CLAUDE.md',
    'src/claude.MD',
    '.claude/settings.json',
    'a/.claude/CLAUDE.md',
    '.github/copilot-instructions.md',
    'README.md',
    '.mcp.json',
  ]
  expect(Object.fromEntries(disarm(files))).toEqual({
    'CLAUDE.md': 'CLAUDE.md.submitted.txt',
    'src/claude.MD': 'src/claude.MD.submitted.txt',
    '.claude/settings.json': '.claude.submitted/settings.json',
    'a/.claude/CLAUDE.md': 'a/.claude.submitted/CLAUDE.md.submitted.txt',
    '.github/copilot-instructions.md': '.github/copilot-instructions.md.submitted.txt',
    '.mcp.json': '.mcp.json.submitted.txt',
  })
})

test('no file is left under a name that an agent loads, and no two meet', () => {
  const part = fc.constantFrom(
    'CLAUDE.md',
    'claude.md.submitted.txt',
    'CLAUDE.md.submitted.txt',
    '.claude',
    '.claude.submitted',
    '.github',
    'copilot-instructions.md',
    'x',
  )
  const tree = fc.array(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(tree, (paths) => {
      const unique = [...new Set(paths)]
      const files = unique.filter((each) => !unique.some((other) => other.startsWith(`${each}/`)))
      const renamed = disarm(files)
      const names = files.map((each) => renamed.get(each) ?? each)
      expect(new Set(names).size).toBe(files.length)
      for (const name of names) {
        expect(isInstructionFile(name)).toBe(false)
        expect(names.some((other) => other.startsWith(`${name}/`))).toBe(false)
      }
    }),
    { numRuns: 500 },
  )
})

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { saveRefs, userTips } from '../../../src/cell/trees/held/user-tips.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'

const root = freshDirectory(path.join(tmpdir(), 'user-tips-'))
afterAll(() => rmSync(root, { recursive: true }))
const [mine, agents] = ['a'.repeat(40), 'b'.repeat(40)]
let common = ''
let records = ''
let count = 0

const point = (ref: string, id: string): void => writeFileSync(path.join(common, 'refs/heads', ref), `${id}\n`)
const tips = (): readonly string[] =>
  userTips(
    records,
    common,
    () => 'ref: refs/heads/main',
    () => false,
  )
const recordFile = (): string => path.join(records, readdirSync(records)[0] ?? '')

beforeEach(() => {
  common = path.join(root, `${++count}`, 'git')
  records = path.join(root, `${count}`, 'records')
  mkdirSync(path.join(common, 'refs/heads'), { recursive: true })
  point('main', mine)
  expect(tips()).toEqual([mine])
  point('agents', agents)
})

test("a ref that a cell made does not become the user's, however many and long the names of refs are", () => {
  // As JSON, each of these bytes has six.
  const names = Array.from({ length: 4000 }, (_, index) => `refs/heads/${'\x01'.repeat(4000)}${index}`)
  writeFileSync(path.join(common, 'packed-refs'), names.map((each) => `${agents} ${each}\n`).join(''))
  saveRefs(records, common, 0)
  expect(tips()).toEqual([mine])
  rmSync(path.join(common, 'packed-refs'))
  saveRefs(records, common, 0)
  point('later', 'c'.repeat(40))
  expect(tips()).toEqual([mine, 'c'.repeat(40)])
})

test.each([
  ['is null', 'null'],
  ['is not JSON', '{'],
  ['is empty', ''],
  ['has no refs', '{"schemaVersion":1,"users":[]}'],
  ['has other types', '{"schemaVersion":1,"users":"x","refs":[1]}'],
  ['is too large', ' '.repeat(64 * 1024 ** 2 + 1)],
])('a record that %s proves nothing', (_, text) => {
  saveRefs(records, common, 0)
  writeFileSync(recordFile(), text)
  expect(tips()).toEqual([])
})

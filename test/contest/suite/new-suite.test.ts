import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newSuite } from '../../../src/contest/suite/config/new-suite.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { configOf } from '../../../src/contest/suite/runs.ts'
import { temporary } from '../../support/temporary.ts'

test('the starter suite has twelve briefs of three languages, each with tags, two checks that run and verify, and an oracle', async () => {
  await using root = await temporary()
  const { briefs, made } = await newSuite(path.join(root.path, 'mine'), { starter: true })
  expect([briefs.length, made.length]).toEqual([12, 13])
  const suite = await readSuite(path.join(root.path, 'mine'))
  expect(suite.config.name).toBe('mine')
  const languages: string[] = []
  for (const brief of suite.briefs) {
    if (brief.problem !== null) throw new Error(`${brief.name}: ${brief.problem}`)
    expect(brief.tags).toHaveLength(2)
    languages.push(brief.tags[0] ?? '')
    const { checks, oracle, outputs } = configOf(brief)
    expect(checks.map(({ name, run, verify, command }) => [name, run, verify, command])).toEqual(
      ['ordinary', 'corners'].map((each) => [each, `sh /inputs/run.sh ${each}`, `diff -r /check/${each} /result`, undefined]),
    )
    expect([oracle, outputs.required.length]).toEqual(['brief/oracle', 1])
    const at = path.join(suite.layout.root, brief.path)
    // Participants get the brief and the starting files, and no case that is checked.
    const parts = (await readdir(at)).toSorted()
    expect(parts.filter((each) => each !== 'start')).toEqual(['BRIEF.md', 'brief.yaml', 'expected', 'inputs', 'oracle'])
    for (const each of ['ordinary', 'corners']) expect((await readdir(path.join(at, 'expected', each))).length).toBeGreaterThan(0)
  }
  const counted = Object.groupBy(languages, (each) => each)
  expect(Object.entries(counted).map(([name, all]) => [name, all?.length])).toEqual([
    ['javascript', 2],
    ['python', 4],
    ['shell', 4],
    ['typescript', 2],
  ])
})

test('an existing suite is refused, and briefs that exist are left as they are', async () => {
  await using root = await temporary()
  const at = path.join(root.path, 'mine')
  await mkdir(path.join(at, 'briefs/sh-ini'), { recursive: true })
  await mkdir(path.join(at, 'briefs/.js-duration.making/half'), { recursive: true })
  await writeFile(path.join(at, 'briefs/sh-ini/BRIEF.md'), 'my own\n')
  expect((await newSuite(at, { starter: true })).made).toHaveLength(12)
  expect(await readFile(path.join(at, 'briefs/sh-ini/BRIEF.md'), 'utf8')).toBe('my own\n')
  expect((await readdir(path.join(at, 'briefs'))).filter((each) => each.startsWith('.'))).toEqual([])
  expect(existsSync(path.join(at, 'briefs/js-duration/half'))).toBe(false)
  await expect(newSuite(at, { starter: true })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('without the starter briefs, there is one brief to fill in', async () => {
  await using root = await temporary()
  const at = path.join(root.path, 'mine')
  expect((await newSuite(at, { starter: false })).briefs).toEqual(['first'])
  expect((await readSuite(at)).briefs.map(({ name, problem, tags }) => [name, problem, tags])).toEqual([['first', null, []]])
})

test('a tag is a short word, and a brief with another one is broken', async () => {
  await using root = await temporary()
  const at = path.join(root.path, 'mine')
  await newSuite(at, { starter: false })
  await cp(path.join(at, 'briefs/first'), path.join(at, 'briefs/second'), { recursive: true })
  await writeFile(path.join(at, 'briefs/first/brief.yaml'), 'schemaVersion: 1\ntags: [two words]\n')
  await writeFile(
    path.join(at, 'briefs/second/brief.yaml'),
    'schemaVersion: 1\ntags: [python, bug]\nchecks: [{ name: a, run: a, verify: b }]\n',
  )
  const [first, second] = (await readSuite(at)).briefs
  expect(first?.problem).toMatch(/tags\[0\].* must be a word/)
  expect([second?.problem, second?.tags]).toEqual([null, ['python', 'bug']])
})

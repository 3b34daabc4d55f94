import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cleanContest, pruneContest } from '../../../src/contest/cleanup/leftovers.ts'
import { readContest } from '../../../src/contest/config/brief.ts'
import { copyContest } from '../../../src/contest/config/new-contest.ts'
import { reportContest } from '../../../src/contest/report/report-contest.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { openBench } from '../../support/contest-bench.ts'
import { temporary } from '../../support/temporary.ts'

const config = JSON.stringify({
  schemaVersion: 1,
  name: 'cloned',
  participants: [{ name: 'alpha', agent: 'command', command: ['true'] }],
  checks: [{ name: 'runs', command: 'true' }],
})

async function cloned() {
  const place = await temporary()
  const contest = place.at('contest')
  await mkdir(contest)
  await mkdir(place.at('outside'))
  await writeFile(place.at('outside/key'), 'secret')
  await writeFile(path.join(contest, 'contest.yaml'), config)
  await writeFile(path.join(contest, 'BRIEF.md'), 'Do it.')
  await writeFile(path.join(contest, 'JUDGE_BRIEF.md'), 'Judge it.')
  return { contest, outside: place.at('outside'), at: place.at, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

test.each(['raw', 'BRIEF.md', 'JUDGE_BRIEF.md', 'contest.yaml'])(
  '6: %s as a link that leads out of the contest is refused',
  async (name) => {
    await using place = await cloned()
    const at = path.join(place.contest, name)
    const target = name === 'raw' ? place.outside : path.join(place.outside, name)
    if (name !== 'raw') await rename(at, target)
    await symlink(target, at)
    await expect(readContest(place.contest)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: `${at} is a link that leads out of the contest directory.`,
      hint: `Put ${name} itself into ${place.contest}`,
    })
  },
)

test('6: raw as a link that stays in the contest is shown', async () => {
  await using place = await cloned()
  await mkdir(path.join(place.contest, 'data'))
  await symlink('data', path.join(place.contest, 'raw'))
  expect(await readContest(place.contest)).toMatchObject({ raw: path.join(place.contest, 'raw') })
})

test('6: a brief that is a FIFO is refused and not waited for', async () => {
  await using place = await cloned()
  await rename(path.join(place.contest, 'BRIEF.md'), place.at('brief'))
  execFileSync('mkfifo', [path.join(place.contest, 'BRIEF.md')])
  await expect(readContest(place.contest)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('is not a file') })
})

test.each([
  'rounds',
  'rounds/1/alpha',
  'rounds/1/alpha/attempts/1/out',
  'rounds/1/sealed',
  'judging',
  'judging/1/judge/attempts/1',
  'report',
  'status.json',
  'events.jsonl',
])('6: %s as a link is refused before anything is written to where it leads', async (name) => {
  await using place = await cloned()
  const at = path.join(place.contest, name)
  await mkdir(path.dirname(at), { recursive: true })
  await symlink(place.outside, at)
  await using bench = await openBench()
  await expect(runContest(place.contest, bench.deps)).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: `${at} is a symbolic link; Paddock keeps only its own files there.`,
  })
  expect(await readdir(place.outside)).toEqual(['key'])
})

test('6: a copy of a contest has its own raw where raw is a link in the contest', async () => {
  await using place = await cloned()
  await mkdir(path.join(place.contest, 'data'))
  await writeFile(path.join(place.contest, 'data/file'), 'first')
  await symlink('data', path.join(place.contest, 'raw'))
  await copyContest(place.contest, place.at('copy'))
  await writeFile(path.join(place.contest, 'data/file'), 'second')
  expect(await readFile(place.at('copy/raw/file'), 'utf8')).toBe('first')
})

test('6: nothing under the name of a lock in a contest directory is opened, emptied or followed', async () => {
  await using place = await cloned()
  await using bench = await openBench()
  const victim = path.join(place.outside, 'key')
  const before = await readFile(victim, 'utf8')
  await symlink(victim, path.join(place.contest, '.lock'))
  await cleanContest(place.contest, bench.deps, { dryRun: false })
  await pruneContest(place.contest, bench.deps, { dryRun: false, all: true })
  expect(await readFile(victim, 'utf8')).toBe(before)
})

test('6: a report does not follow a link in place of its directory', async () => {
  await using place = await cloned()
  await symlink(place.outside, path.join(place.contest, 'report'))
  await expect(reportContest(place.contest, () => new Date())).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(await readdir(place.outside)).toEqual(['key'])
})

import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

// Recorded by test/fixtures/stored/record.ts with the version in the name of the file.
const recorded = fileURLToPath(new URL('../../fixtures/stored', import.meta.url))
const archives = readdirSync(recorded).filter((each) => each.endsWith('.tar.gz'))
const recordedAt = '/tmp/paddock-recorded'

test('the files of a version are recorded', () => {
  expect(archives).toContain('0.1.0.tar.gz')
})

describe.each(everyone)('what an older version stored, as %s', (who) => {
  describe.each(archives)('%s', (archive) => {
    let stage: Stage
    beforeEach(() => {
      stage = makeStage(who)
      execFileSync('tar', ['--no-same-owner', '--no-overwrite-dir', '-xzpf', path.join(recorded, archive), '-C', stage.root])
      for (const file of globSync(path.join(stage.root, '**/*.{json,jsonl}'))) {
        if (file.includes('/audit/') || !statSync(file).isFile()) continue
        const text = readFileSync(file, 'utf8')
        if (text.includes(recordedAt)) writeFileSync(file, text.replaceAll(recordedAt, stage.root))
      }
      stage.own()
    })
    afterEach(() => stage[Symbol.dispose]())

    const json = async (...words: readonly string[]) => {
      const ran = await paddock(stage, [...words, '--json'])
      expect(ran.code, ran.stderr).toBe(0)
      return JSON.parse(ran.stdout)
    }

    test('a contest keeps its status, its submissions and its ranking', async () => {
      const contest = path.join(stage.root, 'contest')
      const status = JSON.parse(readFileSync(path.join(contest, 'status.json'), 'utf8'))
      const { tasks, participants } = await json('contest', 'status', contest)
      expect(tasks).toMatchObject([{ state: 'scored' }, { state: 'scored' }, { state: 'scored' }])
      expect(Object.keys(participants)).toEqual(['careful', 'patient', 'hasty'])
      const { ranking } = await json('contest', 'report', contest)
      expect(ranking.map((each: { name: string }) => each.name)).toEqual(['careful', 'patient', 'hasty'])
      expect((await json('contest', 'diff', contest, 'careful', 'hasty')).files.length).toBeGreaterThan(0)
      expect((await json('contest', 'run', contest)).ranking).toEqual(ranking)
      const { participants: after } = JSON.parse(readFileSync(path.join(contest, 'status.json'), 'utf8'))
      expect(after).toEqual(status.participants)
      expect(readdirSync(path.join(contest, 'rounds/1/careful/attempts'))).toEqual(['1'])
    })

    test('each file of a contest in a newer format stops the report, and stays as it is', async () => {
      const contest = path.join(stage.root, 'contest')
      const files = globSync(path.join(contest, '{status.json,judging/1/*.json,judging/1/*/tasks/1/scores.json,rounds/1/sealed/*/*.json}'))
      expect(files.length).toBeGreaterThan(12)
      for (const file of files) {
        const text = readFileSync(file, 'utf8')
        const newer = text.replace(/"schemaVersion": (\d+)/, (_, version: string) => `"schemaVersion": ${Number(version) + 1}`)
        writeFileSync(file, newer)
        const ran = await paddock(stage, ['contest', 'report', contest])
        expect([ran.code, ran.stderr]).toEqual([125, expect.stringContaining(`${file} was written by a newer Paddock`)])
        expect(readFileSync(file, 'utf8')).toBe(newer)
        writeFileSync(file, text)
      }
    })

    test('a suite keeps its contests, and runs only the others', async () => {
      const suite = path.join(stage.root, 'suite')
      const status = await paddock(stage, ['suite', 'status', suite])
      expect(status.stdout).toContain('small-suite: 2 of 6 contests are complete')
      expect((await paddock(stage, ['suite', 'run', suite])).stderr).toContain('4 of 6 contests to run')
      const { ranking } = await json('suite', 'report', suite)
      expect(ranking.map((each: { name: string }) => each.name)).toEqual(['careful', 'hasty'])
    })

    test('a copy is reviewed and applied', async () => {
      const { changes, id } = await json('review')
      expect(changes.map((each: { path: string }) => each.path)).toEqual(['new.txt', 'notes.txt'])
      const applied = await paddock(stage, ['apply', id])
      expect(applied.code, applied.stderr).toBe(0)
      expect([stage.read('notes.txt'), stage.read('new.txt')]).toEqual(['the first line\nchanged\n', 'new\n'])
    })

    test('the vault opens with its passphrase, and has its secrets', async () => {
      const unlocked = await paddock(stage, ['vault', 'unlock'], { input: 'a passphrase of the recording\n' })
      expect(unlocked.code, unlocked.stderr).toBe(0)
      expect((await json('vault', 'list')).entries).toMatchObject([{ name: 'KEY', hosts: ['a.example'] }])
      expect((await paddock(stage, ['vault', 'lock'])).code).toBe(0)
    })

    test('settings and trust count, and the chain of the audit log is whole before and after the next cell', async () => {
      const before = await json('audit', 'verify')
      expect((await json('trust', '--show')).trust).toBe('trusted')
      const { stdout: settings } = await paddock(stage, ['config', 'show'])
      expect(settings).toContain('run.egress.policy = off')
      expect(settings).toMatch(/run\.limits\.timeout = /)
      const ran = await paddock(stage, ['run', '--', 'true'])
      expect(ran.code, ran.stderr).toBe(0)
      const after = await json('audit', 'verify')
      expect(after.lines).toBeGreaterThan(before.lines)
    })
  })
})

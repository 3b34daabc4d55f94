import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeStage, paddock } from '../../support/cli.ts'

test('with run.trifecta: forbid, a participant with all three parts does not start, and the other one does', async () => {
  using stage = makeStage('user')
  const contest = path.join(stage.home, 'trial')
  const put = (file: string, content: string): void => {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  put(path.join(contest, 'BRIEF.md'), 'Write a file.\n')
  const participant = (name: string, more: object = {}): object => ({
    name,
    agent: 'command',
    command: ['sh', '-c', 'echo started; echo done > /contest/out/work'],
    ...more,
  })
  const participants = [participant('alpha', { egress: { allow: ['a.test'] } }), participant('beta')]
  put(
    path.join(contest, 'contest.yaml'),
    JSON.stringify({ schemaVersion: 1, name: 'trial', participants, checks: [{ name: 'there', command: 'test -f work' }] }),
  )
  put(path.join(stage.root, 'paddock/config/config.yaml'), 'schemaVersion: 1\nrun: { trifecta: forbid }\n')
  stage.own()
  const ran = await paddock(stage, ['contest', 'run', contest])
  expect(ran.stderr).toMatch(/alpha would see private data \(\/contest\/.*read text of others \(a\.test\).*run\.trifecta: forbid/)
  expect(ran.stderr + ran.stdout).toContain('Set egress to { policy: off }')
  const sealed = (name: string): boolean => existsSync(path.join(contest, 'rounds/1/sealed', name))
  expect([sealed('alpha'), sealed('beta')]).toEqual([false, true])
})

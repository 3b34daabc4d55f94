import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readContest } from '../../src/contest/brief.ts'
import { makeStage, paddock } from '../support/cli.ts'
import { realAgents } from './agents.ts'
import { realCliDirectory } from './place.ts'
import { example } from './solutions.ts'

it('the example with four CLIs is a contest as it stands', async () => {
  const { config, brief, judgeBrief, raw } = await readContest(example)
  expect(config.participants.map((each) => each.agent)).toEqual(realAgents.map((each) => each.name))
  expect(config.participants.every((each) => each.env.length === 0 && each.baseUrl === undefined)).toBe(true)
  expect(config.judges.map((each) => each.agent)).toEqual(['claude', 'codex', 'gemini'])
  expect(config.judging.policy).toBe('warn')
  expect(config.checks).toHaveLength(5)
  for (const each of config.outputs.required) expect(brief).toContain(`\`${each}\``)
  expect(judgeBrief).toContain('/contest/raw/versions.txt')
  expect(existsSync(path.join(raw ?? '', 'precedence.md'))).toBe(true)
})

it('without the CLIs, and without a login, it says what is missing before anything runs', async () => {
  using stage = makeStage('user')
  const run = async (PATH: string) =>
    await paddock(stage, ['contest', 'run', example, '--to', path.join(stage.project, 'here')], { env: { PATH } })
  const nowhere = await run('/usr/bin:/bin')
  expect([nowhere.code, nowhere.stderr]).toEqual([
    127,
    expect.stringMatching(/participants\[0\]: claude is not installed.*\n {2}hint: npm install -g/),
  ])
  const strange = await run(`${await realCliDirectory('user')}:/usr/bin:/bin`)
  expect([strange.code, strange.stderr]).toEqual([
    125,
    expect.stringMatching(/participants\[0\]: claude is not logged in.*\n {2}hint: log in with: claude/),
  ])
  expect(existsSync(path.join(stage.project, 'here/rounds'))).toBe(false)
})

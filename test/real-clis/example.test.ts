import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readContest } from '../../src/contest/config/brief.ts'
import { makeStage, paddock } from '../support/cli.ts'
import { realAgents } from './agents.ts'
import { withRealClis } from './place.ts'
import { example } from './solutions.ts'

it('the example with four CLIs is a valid contest', async () => {
  const { config, brief, judgeBrief, raw } = await readContest(example)
  expect(config.participants.map((each) => each.agent)).toEqual(realAgents.map((each) => each.name))
  expect(config.participants.every((each) => (each.env ?? []).length === 0 && each.baseUrl === undefined)).toBe(true)
  expect(config.judges.map((each) => each.agent)).toEqual(['claude', 'codex', 'gemini'])
  expect(config.judging.policy).toBe('warn')
  expect(config.checks).toHaveLength(5)
  for (const each of config.outputs.required) expect(brief).toContain(`\`${each}\``)
  expect(judgeBrief).toContain('/contest/raw/versions.txt')
  expect(existsSync(path.join(raw ?? '', 'precedence.md'))).toBe(true)
})

it('without a login it says what is missing before anything runs', async () => {
  using stage = makeStage('user')
  const contest = path.join(stage.project, 'contest')
  cpSync(example, contest, { recursive: true })
  stage.own()
  const ran = await paddock(stage, ['contest', 'run', contest], { env: withRealClis(stage.env, 'user') })
  const sentence =
    /paddock: [A-Z_]+: Nothing was started, for 7 reasons:\n {2}participants\[0\]: claude is not logged in on this machine\. Run: claude, or name ANTHROPIC_API_KEY in participants\[0\]\.env\n/
  expect([ran.code, ran.stderr]).toEqual([125, expect.stringMatching(sentence)])
  for (const judge of ['claude', 'codex', 'gemini']) expect(ran.stderr).toContain(`warning: judge judge-${judge} and participant ${judge}`)
  expect(existsSync(path.join(contest, 'rounds'))).toBe(false)
})

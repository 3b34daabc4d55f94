import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { summarySchema } from '../../src/contest/ranking/contest-summary.ts'
import { everyone, makeStage, paddock } from '../support/cli.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { sealedFile } from '../support/sealed-files.ts'
import { modelHost, pin } from './agents.ts'
import { contestModel } from './contest-script.ts'
import { withRealClis } from './place.ts'
import { example, solutions } from './solutions.ts'

test.each(everyone)('gemini and opencode take part in a contest over ACP, with their tokens, as %s', async (who) => {
  using stage = makeStage(who)
  const server = await startModelServer({ script: contestModel(2).script })
  const contest = path.join(stage.project, 'contest')
  cpSync(example, contest, { recursive: true })
  const local = { agent: 'acp', baseUrl: `http://${modelHost}:${server.port}`, egress: { policy: 'allowlist', allow: [pin(server.port)] } }
  const participants = [
    {
      name: 'gemini',
      command: ['gemini', '--acp'],
      model: 'gemini-2.5-flash',
      env: ['GEMINI_API_KEY=placeholder'],
      family: 'google',
      ...local,
    },
    {
      name: 'opencode',
      command: ['opencode', 'acp'],
      model: 'local/some-model',
      env: ['OPENAI_API_KEY=placeholder'],
      family: 'none',
      ...local,
    },
  ]
  const config = parse(readFileSync(path.join(example, 'contest.yaml'), 'utf8'))
  writeFileSync(path.join(contest, 'contest.yaml'), stringify({ ...config, participants, judges: [], parallel: 2 }))
  stage.own()
  const env = withRealClis(stage.env, who)
  await paddock(stage, ['contest', 'trust', contest], { env })
  const ran = await paddock(stage, ['contest', 'run', contest], { env })
  await server.close()
  expect(ran.code, ran.stderr).toBe(0)
  const { ranking, notRanked } = summarySchema.parse(JSON.parse(readFileSync(path.join(contest, 'report/summary.json'), 'utf8')))
  expect(notRanked).toEqual([])
  for (const each of ranking) {
    expect(each.outcome, each.name).toMatchObject({ kind: 'delivered', exitCode: 0, message: null })
    expect(each.tokens?.input, each.name).toBeGreaterThan(1_000)
    expect(sealedFile(contest, each.name, 'semsort')).toBe(solutions[each.name]?.semsort)
    const transcript = readFileSync(path.join(contest, 'rounds/1', each.name, 'attempts/1/agent.jsonl'), 'utf8')
    const types = transcript
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    expect(types, each.name).toEqual(['tool-call', 'tool-result', 'text', 'usage', 'result'])
  }
})

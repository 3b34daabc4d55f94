import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { suiteSummarySchema } from '../../src/contest/suite/report/suite-summary.ts'
import { makeStage, paddock } from '../support/cli.ts'
import { startHostileEndpoint } from '../support/model-servers/hostile.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

const budget = 2_000_000

function role(name: string, { name: agent, model, key }: RealAgent, port: number): object {
  const endpoint = { baseUrl: `http://${modelHost}:${port}`, egress: { policy: 'allowlist', allow: [pin(port)] } }
  return { name, agent, model, env: [`${key}=placeholder`], limits: { timeout: '45s' }, ...endpoint }
}

it('the real CLIs run a suite of three briefs while others meet limits, hangs and logouts', { timeout: 600_000 }, async () => {
  using stage = makeStage('user')
  await using servers = new AsyncDisposableStack()
  const good = await startModelServer({
    script: ({ toolResults, userTexts }) => {
      const word = /Write the word (\w+)/.exec(userTexts.join('\n'))?.[1] ?? 'nothing'
      return toolResults.length === 0 ? { run: `echo ${word} > answer.txt` } : { say: 'It is handed in.' }
    },
  })
  servers.defer(() => good.close())
  const [limited, hanging, loggedOut] = [
    servers.use(await startHostileEndpoint('429')),
    servers.use(await startHostileEndpoint('hang')),
    servers.use(await startHostileEndpoint('401')),
  ]
  const codex = realAgents.find((each) => each.name === 'codex')
  if (codex === undefined) throw new Error('no codex')
  const participants = [
    ...realAgents.map((each) => role(each.name, each, good.port)),
    role('limited', codex, limited.port),
    role('hanging', codex, hanging.port),
    role('logged-out', codex, loggedOut.port),
  ]
  const suite = path.join(stage.project, 'suite')
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(suite, file)), { recursive: true })
    writeFileSync(path.join(suite, file), text)
  }
  for (const word of ['one', 'two', 'three']) {
    write(`briefs/${word}/BRIEF.md`, `Write the word ${word} into answer.txt.\n`)
    const checks = [{ name: 'right', run: 'cp answer.txt /result/', verify: `grep -qx ${word} /result/answer.txt` }]
    write(`briefs/${word}/brief.yaml`, stringify({ schemaVersion: 1, checks }))
  }
  const contest = { participants, ranking: 'checks' }
  write(
    'suite.yaml',
    stringify({ schemaVersion: 1, name: 'real', briefs: ['briefs/*'], parallel: 4, vendorCells: 3, budget: { tokens: budget }, contest }),
  )
  stage.own()
  const env = withRealClis(stage.env, 'user')
  await paddock(stage, ['suite', 'trust', suite], { env })
  const ran = await paddock(stage, ['suite', 'run', suite], { env })
  expect(ran.code, ran.stderr).toBe(0)
  const summary = suiteSummarySchema.parse(JSON.parse(readFileSync(path.join(suite, 'report/summary.json'), 'utf8')))
  console.log(ran.stdout)
  const row = (name: string) => summary.ranking.find((each) => each.name === name)
  for (const { name } of realAgents)
    expect(row(name), ran.stderr).toMatchObject({
      score: 100,
      completion: { hits: 3, of: 3 },
      passes: { hits: 3 },
      failedToRun: 0,
      notRun: 0,
    })
  for (const name of ['limited', 'hanging', 'logged-out'])
    expect(row(name), ran.stderr).toMatchObject({ score: null, completion: { of: 0 }, failedToRun: 3 })
  const outcomes = (name: string) =>
    summary.briefs.flatMap(({ runs }) =>
      runs.flatMap(({ results }) => results.filter((each) => each.name === name).map((each) => each.outcome)),
    )
  expect(new Set(outcomes('limited'))).toEqual(new Set(['rate-limited']))
  expect(new Set(outcomes('logged-out'))).toEqual(new Set(['login-needed']))
  for (const each of outcomes('hanging')) expect(['out-of-time', 'silent']).toContain(each)
  expect(summary.briefs.flatMap(({ runs }) => runs.map(({ state }) => state))).toEqual(['complete', 'complete', 'complete'])
  expect(summary.spent.tokens).toBeGreaterThan(0)
  expect(summary.spent.tokens).toBeLessThanOrEqual(budget)
  expect(summary.reached).toBeNull()
  expect(summary.verdict?.front.toSorted()).toEqual(realAgents.map(({ name }) => name).toSorted())
})

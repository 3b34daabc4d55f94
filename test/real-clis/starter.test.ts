import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { comparisonSchema } from '../../src/contest/suite/compare/comparison-schema.ts'
import { suiteSummarySchema } from '../../src/contest/suite/report/suite-summary.ts'
import { makeStage, paddock } from '../support/cli.ts'
import type { Script } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

const starter = path.join(import.meta.dirname, '../../examples/starter/briefs')
/** All twelve briefs with all four CLIs take over ten minutes. */
const isWhole = process.env['PADDOCK_STARTER'] === 'whole'
/** The directory to which the suite is copied, with its reports; unset: none. */
const kept = process.env['PADDOCK_STARTER_KEPT']

const all = globSync('*', { cwd: starter }).toSorted()
const briefs = isWhole ? all : ['js-duration', 'py-calm', 'sh-ini', 'sh-rotate']
const agents = realAgents.filter(({ name }) => isWhole || name === 'claude' || name === 'codex')
const rule = 'Read the corner cases of the task twice.'

/** The number of briefs that each participant solves, of all twelve. */
const solves: Readonly<Record<string, number>> = { 'claude-careful': 12, 'claude-plain': 9, codex: 11, gemini: 8, opencode: 6 }
/** In the second run, Codex solves fewer. */
const solvesLater = 2

const titles = new Map(all.map((name) => [readFileSync(path.join(starter, name, 'BRIEF.md'), 'utf8').split('\n', 1)[0] ?? '', name]))
const agentOf = { anthropic: 'claude', 'openai-responses': 'codex', gemini: 'gemini', 'openai-chat': 'opencode' } as const

/** Returns a script that hands in the solution of the brief, or a program that does nothing. */
function model(isLater: () => boolean): Script {
  return ({ dialect, system, tools, toolResults, userTexts }) => {
    if (tools.length === 0) return { say: 'A title.' }
    if (toolResults.length > 0) return { say: 'It is handed in.' }
    const asked = userTexts.join('\n')
    const brief = [...titles].find(([title]) => asked.includes(title))?.[1] ?? ''
    const agent = agentOf[dialect]
    const who = agent !== 'claude' ? agent : `${asked}\n${system}`.includes(rule) ? 'claude-careful' : 'claude-plain'
    const most = who === 'codex' && isLater() ? solvesLater : (solves[who] ?? 0)
    const [file = ''] = globSync('*', { cwd: path.join(starter, brief, 'oracle') })
    const solution = readFileSync(path.join(starter, brief, 'oracle', file), 'utf8')
    // Spread over the languages.
    const isSolved = (all.indexOf(brief) * 7) % 12 < most
    return { run: `cat > ${file} <<'THE_END'\n${isSolved ? solution : '\n'}THE_END` }
  }
}

it('two variants and other CLIs solve starter briefs, and a comparison finds the one that became worse', {
  timeout: 3_000_000,
}, async () => {
  using stage = makeStage('user')
  await using servers = new AsyncDisposableStack()
  let isLater = false
  const server = await startModelServer({ script: model(() => isLater) })
  servers.defer(() => server.close())
  const suite = path.join(stage.project, 'suite')
  mkdirSync(path.join(suite, 'briefs'), { recursive: true })
  for (const each of briefs) cpSync(path.join(starter, each), path.join(suite, 'briefs', each), { recursive: true })
  writeFileSync(path.join(suite, 'careful.md'), `${rule}\n`)
  const participants = agents.map(({ name, model: asked, key }) => ({
    ...{ name, agent: name, model: asked, env: [`${key}=placeholder`], baseUrl: `http://${modelHost}:${server.port}` },
    ...{ egress: { policy: 'allowlist', allow: [pin(server.port)] } },
    ...(name === 'claude' ? { variants: { plain: {}, careful: { instructions: 'careful.md' } } } : {}),
  }))
  const contest = { participants, ranking: 'checks' }
  writeFileSync(
    path.join(suite, 'suite.yaml'),
    stringify({ schemaVersion: 1, name: 'starter', briefs: ['briefs/*'], parallel: 2, contest }),
  )
  stage.own()
  const env = withRealClis(stage.env, 'user')
  await paddock(stage, ['suite', 'trust', suite], { env })
  const first = await paddock(stage, ['suite', 'run', suite], { env })
  expect(first.code, first.stderr).toBe(0)
  const summary = suiteSummarySchema.parse(JSON.parse(readFileSync(path.join(suite, 'report/summary.json'), 'utf8')))
  const careful = summary.ranking.find(({ name }) => name === 'claude-careful')
  expect(careful).toMatchObject({ score: 100, completion: { hits: briefs.length, of: briefs.length } })

  isLater = true
  const second = await paddock(stage, ['suite', 'run', '--fresh', suite], { env })
  expect(second.code, second.stderr).toBe(0)
  const compared = await paddock(stage, ['suite', 'compare', `${suite}@1`, suite, '--fail-if', 'checks worse by 10'], { env })
  const comparison = comparisonSchema.parse(
    JSON.parse(readFileSync(path.join(suite, 'comparisons/reports/suite-round-1/comparison.json'), 'utf8')),
  )
  if (kept !== undefined) cpSync(suite, kept, { recursive: true })
  const [worst, ...others] = comparison.participants
  expect(worst?.new).toMatchObject({ name: 'codex', model: expect.stringMatching(/gpt/), versions: [expect.stringMatching(/\d/)] })
  expect(worst?.measures.find(({ name }) => name === 'checks')?.difference).toBeLessThanOrEqual(-50)
  for (const { measures } of others) expect(measures.find(({ name }) => name === 'checks')).toMatchObject({ difference: 0 })
  expect(comparison.briefs.slice(0, 2).map(({ participant, difference }) => [participant, difference])).toEqual([['codex', -100], ['codex', -100]]) // biome-ignore format: pairs
  if (isWhole) {
    expect(compared.code).toBe(1)
    expect(compared.stdout).toContain('FAILED: codex, fails if checks worse by 10')
  }
})

import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { CellReport } from '../../src/cell/report.ts'
import { type Summary, summarySchema } from '../../src/contest/ranking/contest-summary.ts'
import { everyone, makeStage, paddock, type Ran, type Stage } from '../support/cli.ts'
import type { Script } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { withoutScript } from '../support/report-text.ts'
import { sealedFile } from '../support/sealed-files.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { contestModel } from './contest-script.ts'
import { storeLogin } from './logins.ts'
import { withRealClis } from './place.ts'
import { example, handIn, solutions } from './solutions.ts'

const opencodeOf = (model: string): RealAgent => ({ ...agentOf('opencode'), model })

function agentOf(name: string): RealAgent {
  const found = realAgents.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no real agent ${name}`)
  return found
}

/** A CLI with a key, or with the login that is stored in the home. */
type Contestant = RealAgent & { readonly stored?: boolean }

/** Returns participants or judges of contest.yaml that use the local model. */
function contenders(agents: Readonly<Record<string, Contestant>>, port: number): object[] {
  return Object.entries(agents).map(([name, { name: agent, model, key, stored }]) => ({
    ...{ name, agent, model, env: stored === true ? [] : [`${key}=placeholder`] },
    ...{ baseUrl: `http://${modelHost}:${port}`, egress: { policy: 'allowlist', allow: [pin(port)] } },
  }))
}

describe.each(everyone)('the example with four CLIs, as %s', (who) => {
  let stage: Stage
  let server: ModelServer
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(async () => {
    await server.close()
    stage[Symbol.dispose]()
  })

  const contest = (): string => path.join(stage.project, 'contest')
  const lay = async (
    script: Script,
    participants: Record<string, Contestant>,
    judges: Record<string, Contestant>,
    more: object,
  ): Promise<void> => {
    server = await startModelServer({ script })
    cpSync(example, contest(), { recursive: true })
    const config = parse(readFileSync(path.join(example, 'contest.yaml'), 'utf8'))
    const changed = { ...config, ...more, participants: contenders(participants, server.port), judges: contenders(judges, server.port) }
    writeFileSync(path.join(contest(), 'contest.yaml'), stringify(changed))
    for (const each of Object.values({ ...participants, ...judges })) if (each.stored === true) storeLogin(stage.home, each.name)
    stage.own()
  }
  const run = async (...options: string[]): Promise<Ran> => {
    const env = withRealClis(stage.env, who)
    // The contest must be trusted because it sends credentials to a server of the test.
    await paddock(stage, ['contest', 'trust', contest()], { env })
    return await paddock(stage, ['contest', 'run', ...options, contest()], { env })
  }
  const summary = (): Summary => summarySchema.parse(JSON.parse(readFileSync(path.join(contest(), 'report/summary.json'), 'utf8')))
  const four = Object.fromEntries(realAgents.map((each) => [each.name, each]))

  // Across both users, each of the four judges is used once.
  const panel = who === 'root' ? ['claude', 'gemini'] : ['codex', 'opencode']

  it('goes from the brief to the report: sealed work of all four with their tokens, checked, and scored by two of them', async () => {
    const model = contestModel(4)
    const judges = Object.fromEntries(panel.map((each) => [`judge-${each}`, agentOf(each)]))
    await lay(model.script, four, judges, { judging: { policy: 'allow-self' }, parallel: 4 })
    const ran = await run()
    expect(ran.code, ran.stderr).toBe(0)
    expect(model.together()).toBe(4)

    const told = summary()
    expect(told.notRanked).toEqual([])
    expect(told.ranking.map((each) => each.name)).toEqual(['claude', 'codex', 'opencode', 'gemini'])
    for (const each of told.ranking) {
      expect(each.outcome, each.name).toMatchObject({ kind: 'delivered', exitCode: 0, message: null })
      expect([each.name, each.files, each.dropped]).toEqual([each.name, 2, []])
      expect(each.tokens?.input, each.name).toBeGreaterThan(1_000)
      // The model counts four bytes per token, so there are at least the tokens of its submission.
      expect(each.tokens?.output, each.name).toBeGreaterThan(handIn(each.name).length / 4)
      expect(each.tokens?.output, each.name).toBeLessThan(handIn(each.name).length)
      expect(
        each.checks.results.filter((check) => check.result === 'passed').map((check) => check.name),
        each.name,
      ).toEqual(solutions[each.name]?.passes)
      expect(each.judgements.map((one) => one.judge).toSorted()).toEqual(Object.keys(judges))
      expect(sealedFile(contest(), each.name, 'semsort')).toBe(solutions[each.name]?.semsort)
      const cell = JSON.parse(readFileSync(path.join(contest(), 'rounds/1', each.name, 'attempts/1/cell.json'), 'utf8')) as CellReport
      expect(cell.egress.reached.map((one) => one.host)).toEqual([modelHost])
      expect(statSync(path.join(contest(), 'rounds/1/sealed', each.name, 'seal.json')).size).toBeGreaterThan(100)
    }
    expect(told.judges.map((each) => [each.state, each.why, each.comment])).toEqual([
      ['scored', null, 'Read, not run.'],
      ['scored', null, 'Read, not run.'],
    ])
    for (const each of told.judges) expect(each.tokens?.output, each.name).toBeGreaterThan(10)
    console.log(
      [...told.ranking, ...told.judges]
        .map((each) => `${each.name} as ${who}: ${each.durationMs} ms, ${each.tokens?.input} tokens in, ${each.tokens?.output} out`)
        .join('\n'),
    )

    // Judges read four submissions under labels, but no participant's name and no other files of the host.
    expect(model.read).toHaveLength(2)
    for (const each of model.read) {
      expect(each.match(/<<[A-Z]>>/g)?.toSorted()).toEqual(['<<A>>', '<<B>>', '<<C>>', '<<D>>'])
      expect(each).not.toMatch(/claude|codex|gemini|opencode|mapping|rounds|contest\.yaml|check\.mjs/i)
    }

    const page = readFileSync(path.join(contest(), 'report/report.html'), 'utf8')
    expect(page).toContain('opencode')
    expect(withoutScript(page)).not.toMatch(/\ssrc=|\shref="(?!#|\.\.\/)/)
    expect(ran.stdout).toMatch(/\nrank +participant[\s\S]*\n1–4 +claude[\s\S]*report\.html\n$/)
    expect(ran.stderr).toContain(`paddock: judge judge-${panel[0]} scored`)
  })

  it('a participant whose limit is reached is not ranked, says so, and takes part when asked again later', async () => {
    let limited = true
    const model = contestModel(1)
    const script: Script = (conversation) =>
      limited && conversation.model === agentOf('codex').asked ? { fail: 'rate-limit' } : model.script(conversation)
    await lay(
      script,
      { claude: { ...agentOf('claude'), stored: true }, codex: { ...agentOf('codex'), stored: true } },
      {},
      { judging: { policy: 'distinct-family' }, rubric: undefined },
    )
    const ran = await run()
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toMatch(/\nnot ranked\n {2}codex: rate limited: .*usage limit/)
    const [left] = summary().notRanked
    expect(summary().ranking.map((each) => [each.name, each.rank])).toEqual([['claude', 1]])
    expect(left).toMatchObject({ name: 'codex', failedToRun: true, outcome: { kind: 'rate-limited', exitCode: 1 } })
    expect(left?.outcome?.resetsAt).toBeGreaterThan(Date.now())

    limited = false
    const again = await run('--retry')
    expect(again.code, again.stderr).toBe(0)
    expect(summary().notRanked).toEqual([])
    expect(summary().ranking.map((each) => each.name)).toEqual(['claude', 'codex'])
    // Both authenticated with the stored login, even though the private home is new for every attempt.
    expect(server.requests.every((each) => each.conversation === null || each.authenticated)).toBe(true)
    expect(server.requests.filter((each) => each.model === agentOf('claude').asked && each.conversation?.tools.length !== 0)).toHaveLength(
      2,
    )
  })

  it('a participant that only its own family could judge is refused, also behind opencode', async () => {
    const model = contestModel(1)
    await lay(model.script, four, { 'judge-gemini': agentOf('gemini') }, { judging: { policy: 'distinct-family' } })
    const ran = await run()
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(
      /line \d+, column \d+: participants\[2\]\.agent has no judge: gemini and every judge are of the family google; add a judge of another family/,
    )
    const behind = { judge: opencodeOf('anthropic/claude-sonnet-5-5') }
    await server.close()
    await lay(model.script, { claude: agentOf('claude') }, behind, { judging: { policy: 'distinct-family' } })
    expect((await run()).stderr).toContain('has no judge: claude and every judge are of the family anthropic')
    expect(server.requests).toEqual([])
  })
})

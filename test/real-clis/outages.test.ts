import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Summary, summarySchema } from '../../src/contest/ranking/contest-summary.ts'
import { isLab, makeStage, paddock, type Ran, type Stage } from '../support/cli.ts'
import { type HostileEndpoint, startHostileEndpoint, type Trouble, trouble } from '../support/model-servers/hostile.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

type NotRanked = Summary['notRanked'][number]

/** The correct outcomes for each fault, and what their message must name. */
const truth: Readonly<Record<Trouble, { readonly kinds: readonly string[]; readonly names: RegExp }>> = {
  '429': { kinds: ['rate-limited'], names: /limit|quota|capacity|429/i },
  '401': { kinds: ['login-needed'], names: /401|key|credential|login|authenticat/i },
  '500': { kinds: ['endpoint-failed'], names: /50\d|server|high demand|internal/i },
  hang: { kinds: ['out-of-time', 'silent'], names: /did not answer/ },
  cut: { kinds: ['endpoint-failed'], names: /cut|disconnect|stream|connection|terminated|closed|incomplete/i },
  garbage: { kinds: ['endpoint-failed'], names: /stream|JSON|pars|empty|malformed|response|answer/i },
}

let stage: Stage
beforeEach(() => {
  stage = makeStage('user')
})
afterEach(() => stage[Symbol.dispose]())

/** Runs a contest of these participants whose only criterion is that they submit something. */
async function contest(participants: readonly object[], options: readonly string[] = []): Promise<Ran & { readonly summary: Summary }> {
  const directory = path.join(stage.project, 'outages')
  mkdirSync(directory, { recursive: true })
  const checks = [{ name: 'there', command: 'true' }]
  const config = { schemaVersion: 1, name: 'outages', participants, judges: [], checks, parallel: 4 }
  writeFileSync(path.join(directory, 'contest.yaml'), stringify(config))
  writeFileSync(path.join(directory, 'BRIEF.md'), 'Write RESULT.md.\n')
  stage.own()
  const env = withRealClis(stage.env, 'user')
  await paddock(stage, ['contest', 'trust', directory], { env })
  const ran = await paddock(stage, ['contest', 'run', ...options, directory], { env })
  const file = path.join(directory, 'report/summary.json')
  if (!existsSync(file)) throw new Error(`no summary, exit code ${ran.code}: ${ran.stderr}`)
  return { ...ran, summary: summarySchema.parse(JSON.parse(readFileSync(file, 'utf8'))) }
}

function participant(name: string, { name: agent, model, key }: RealAgent, port: number): object {
  const endpoint = { baseUrl: `http://${modelHost}:${port}`, egress: { policy: 'allowlist', allow: [pin(port)] } }
  return { name, agent, model, env: [`${key}=placeholder`], limits: { timeout: '45s' }, ...endpoint }
}

it('4: each real CLI behind each trouble of its model endpoint is shown with the true cause', { timeout: 400_000 }, async () => {
  await using endpoints = new AsyncDisposableStack()
  const open = new Map<Trouble, HostileEndpoint>()
  for (const each of trouble) open.set(each, endpoints.use(await startHostileEndpoint(each)))
  const all = realAgents.flatMap((agent) => [...open].map(([each, endpoint]) => ({ name: `${agent.name}-${each}`, agent, each, endpoint })))
  // Outside of the lab, every third: each trouble and each CLI is among them.
  const cases = isLab ? all : all.filter((_, index) => (index + Math.floor(index / trouble.length)) % 3 === 0)
  const { summary, code, stderr } = await contest(cases.map(({ name, agent, endpoint }) => participant(name, agent, endpoint.port)))
  expect(code, stderr).toBe(1)
  const rows = cases.map(({ name, each, endpoint }) => {
    const row = summary.notRanked.find((one) => one.name === name)
    return { line: `${name.padEnd(18)} ${lineOf(row)}`, right: isTrue(each, row, endpoint.resetsAt) }
  })
  console.log(rows.map(({ line }) => line).join('\n'))
  console.log(`${rows.filter(({ right }) => right).length} of ${rows.length} causes are true`)
  expect(rows.filter(({ right }) => !right).map(({ line }) => line)).toEqual([])
  expect(rows).toHaveLength(isLab ? 24 : 8)
})

it('3: an outage half-way is not a bad score of the real codex, and --retry gives it another attempt', async () => {
  const codex = realAgents.find((each) => each.name === 'codex')
  if (codex === undefined) throw new Error('no codex')
  let down = true
  const writes = 'echo half > RESULT.md'
  const server = await startModelServer({
    script: ({ toolResults }) => (toolResults.length === 0 ? { run: writes } : down ? { fail: 'overloaded' } : { say: 'Done.' }),
  })
  try {
    const before = await contest([participant('codex', codex, server.port)])
    expect(before.summary.ranking, before.stderr).toEqual([])
    expect(before.summary.notRanked).toMatchObject([{ failedToRun: true, outcome: { kind: 'endpoint-failed', exitCode: 1 } }])
    expect(before.summary.notRanked[0]?.outcome?.message).toMatch(/^the model endpoint failed \(models\.test answered 503, \d+ times\); /)
    down = false
    const { summary, stderr } = await contest([participant('codex', codex, server.port)], ['--retry'])
    expect(
      summary.ranking.map((each) => [each.name, each.outcome.kind]),
      stderr,
    ).toEqual([['codex', 'delivered']])
  } finally {
    await server.close()
  }
})

// On its own, none of them would end for minutes.
it.each(realAgents)(
  '4: $name ends soon if its endpoint does not resolve here, and one line reports it',
  { timeout: 60_000 },
  async (agent) => {
    const endpoint = ['--base-url', 'http://model.invalid', '--allow', 'model.invalid:80', '--model', agent.model]
    const args = ['run', ...endpoint, '--env', `${agent.key}=placeholder`, '--prompt', 'hi', agent.name]
    const { code, stderr } = await paddock(stage, args, { env: withRealClis(stage.env, 'user') })
    expect(code, stderr).not.toBe(0)
    const lines = stderr.split('\n').filter((each) => each.startsWith('paddock: '))
    expect(
      lines.filter((each) => each === 'paddock: the name model.invalid does not resolve on this machine, so the cell cannot reach it'),
    ).toHaveLength(1)
    expect(lines.join('\n')).toContain('paddock: the model endpoint failed (the name model.invalid does not resolve on this machine')
  },
)

function isTrue(each: Trouble, row: NotRanked | undefined, limitEnds: number): boolean {
  const { kinds, names } = truth[each]
  if (row?.outcome == null || !row.failedToRun || !kinds.includes(row.outcome.kind) || !names.test(row.outcome.message ?? '')) return false
  const { resetsAt } = row.outcome
  return each !== '429' || (resetsAt !== null && Math.abs(resetsAt - limitEnds) < 60_000)
}

function lineOf(row: NotRanked | undefined): string {
  if (row?.outcome == null) return 'no outcome'
  const { kind, message, resetsAt } = row.outcome
  const took = `${Math.round((row.durationMs ?? 0) / 1000)} s`
  return `${took.padStart(5)}  ${kind}${resetsAt === null ? '' : ` until ${new Date(resetsAt).toISOString()}`}: ${message}`
}

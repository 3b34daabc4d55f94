import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeStage } from '../../support/cli.ts'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const modules = path.join(checkout, 'node_modules')

/** A program that a user of the package would write. */
const program = `
import { type ContestEvent, contestEvents, contestReport, contestStatus, openCell, PaddockError, runAgent, runContest, type AgentEvent, type Summary } from 'paddock'

const seen: ContestEvent['type'][] = []
const { summary, files, exitCode } = await runContest('contest', { parallel: 2, onEvent: ({ type }) => void seen.push(type) })
const names: readonly string[] = summary.ranking.map(({ name }: Summary['ranking'][number]) => name)
const { status, atWork } = await contestStatus('contest')
const first = await contestEvents('contest', { limit: 3 })
const rest = await contestEvents('contest', { after: first.cursor })
const again = await contestReport('contest')

// @ts-expect-error a misspelt option is found before anything runs
const refused = await runContest('contest', { only: 'nobody', retry: true, prallel: 1 }).catch((error: unknown) => error)
const hint = refused instanceof PaddockError ? [refused.code, refused.exitCode] : null

await using cell = await openCell({ egress: 'off' })
const { stdout } = await cell.run(['echo', 'from the cell'])
const { ending } = await cell.close()
const agent = await runAgent({ agent: 'grok', prompt: 'x' })
const kinds: AgentEvent['type'][] = []
const missing: unknown = await (async () => { for await (const { type } of agent) kinds.push(type) })().catch((error: unknown) => error)

console.log(JSON.stringify({
  cell: [stdout, ending.kind, missing instanceof PaddockError ? missing.code : null],
  names, exitCode, files, seen, hint, atWork,
  states: Object.values(status?.participants ?? {}).map(({ state }) => state),
  events: [...first.events, ...rest.events].map(({ type }) => type),
  same: JSON.stringify(again.summary.ranking) === JSON.stringify(summary.ranking),
}))
`

const contest = {
  schemaVersion: 1,
  name: 'trial',
  participants: ['one', 'two'].map((name) => ({ name, agent: 'command', command: ['sh', '-c', `echo ${name} > answer.txt`] })),
  checks: [{ name: 'right', command: 'grep -q one /submission/answer.txt' }],
}

test('a TypeScript project that installed the packed package type-checks, and runs a contest', async () => {
  using stage = makeStage('root')
  const installed = path.join(stage.project, 'node_modules')
  mkdirSync(path.join(installed, 'paddock'), { recursive: true })
  const pack = ['pack', '--json', '--ignore-scripts', '--no-update-notifier', '--pack-destination', stage.root]
  const { stdout } = await run('npm', pack, { cwd: checkout, maxBuffer: 1e8 })
  const [{ filename }] = JSON.parse(stdout)
  await run('tar', ['-xzf', path.join(stage.root, filename), '-C', path.join(installed, 'paddock'), '--strip-components=1'])
  // Links the other packages of an install, without a registry: only the dependencies that the package names.
  const { dependencies } = JSON.parse(readFileSync(path.join(installed, 'paddock/package.json'), 'utf8'))
  for (const each of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(path.dirname(path.join(installed, each)), { recursive: true })
    symlinkSync(path.join(modules, each), path.join(installed, each))
  }
  stage.put('package.json', JSON.stringify({ type: 'module' }))
  stage.put('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext', target: 'es2024', noEmit: true } }))
  stage.put('program.ts', program)
  stage.put('contest/contest.yaml', JSON.stringify(contest))
  stage.put('contest/BRIEF.md', 'Write your name.\n')

  const tsc = run(process.execPath, [path.join(modules, 'typescript/bin/tsc')], { cwd: stage.project })
  expect(await tsc.catch((error: unknown) => error)).toMatchObject({ stdout: '', stderr: '' })
  const ran = await run(process.execPath, ['program.ts'], { cwd: stage.project, env: stage.env })
  const report = path.join(stage.project, 'contest/report')
  expect(JSON.parse(ran.stdout)).toMatchObject({
    cell: ['from the cell\n', 'exited', 'AGENT_NOT_INSTALLED'],
    names: ['one', 'two'],
    exitCode: 0,
    files: { summary: path.join(report, 'summary.json') },
    seen: expect.arrayContaining(['started', 'ended', 'sealed', 'checked', 'reported']),
    events: expect.arrayContaining(['step', 'started', 'checked', 'reported']),
    states: ['checked', 'checked'],
    hint: ['NOT_FOUND', 2],
    atWork: false,
    same: true,
  })
})

test('the schemas of the package are found by their names', async () => {
  const name = 'paddock/schemas/summary.schema.json'
  const { stdout } = await run(process.execPath, ['-p', `require.resolve(${JSON.stringify(name)})`], { cwd: checkout })
  expect(stdout.trim()).toBe(path.join(checkout, 'docs/reference/summary.schema.json'))
})

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { command, makeStage, paddock, type Ran, type Stage } from '../../support/cli.ts'

let stage: Stage
beforeEach(() => {
  stage = makeStage('user')
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\necho "ran $*"\n')
  chmodSync(path.join(bin, 'claude'), 0o755)
})
afterEach(() => stage[Symbol.dispose]())

function user(text: string): void {
  mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
  writeFileSync(path.join(stage.root, 'paddock/config/config.yaml'), `schemaVersion: 1\n${text}`)
  stage.own()
}

const env = () => ({ PATH: `${path.join(stage.root, 'bin')}:${stage.env['PATH'] ?? ''}` })
const run = (...args: readonly string[]): Promise<Ran> => paddock(stage, ['run', ...args], { env: env() })

/** Runs the command of a hint as a shell reads it. */
async function runHint(refused: Ran): Promise<Ran> {
  const [, words = ''] = /hint: Run: paddock (.*)\n/.exec(refused.stderr) ?? []
  const args = execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
  return await paddock(stage, args, { env: env() })
}

test.each([
  [['--prompt', "it's", 'claude'], "--prompt 'it'\\''s' --no-web-tools claude"],
  [['--allow', 'a.test', '--prompt', 'x', 'claude'], '--prompt x --no-web-tools --private claude'],
  [['--allow', 'a.test', '--', 'sh', '-c', 'echo ran'], "--egress off -- sh -c 'echo ran'"],
  [['--inspect', 'a.test', '--', 'sh', '-c', 'echo ran'], "--egress off -- sh -c 'echo ran'"],
  [['--rule', 'deny PUT a.test/**', '--', 'sh', '-c', 'echo ran'], "--egress off -- sh -c 'echo ran'"],
] as const)('with forbid, paddock run %j is refused, and the command of the hint starts', async (args, hint) => {
  user('run: { trifecta: forbid }\n')
  const refused = await run(...args)
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain(`hint: Run: paddock run ${hint}\n`)
  expect(refused.stderr).toMatch(
    /^paddock: NOT_ALLOWED: run \w+ would see private data \(.*project \(rw\)\), read text of others \(.+\) and have a way out \(.+\), which run\.trifecta: forbid does not allow \(.*config\.yaml:2\)\.\n/m,
  )
  const started = await runHint(refused)
  expect(started.code, started.stderr).toBe(0)
  expect(started.stdout).toMatch(/^ran/)
})

test('the web tools of claude are removed, and the plan, the report and the audit log have the rating', async () => {
  stage.own()
  const plan = async (...args: readonly string[]) =>
    JSON.parse((await run('--dry-run', '--json', ...args, '--prompt', 'x', 'claude')).stdout)
  expect((await plan()).trifecta).toMatchObject({ all: true, untrusted: ['web search of claude'] })
  expect(await plan('--no-web-tools')).toMatchObject({
    command: expect.arrayContaining(['--disallowedTools=WebSearch,WebFetch']),
    trifecta: { all: false, untrusted: [] },
  })
  const file = path.join(stage.home, 'report.json')
  expect((await run('--report', file, '--prompt', 'x', 'claude')).code).toBe(0)
  const report = JSON.parse(readFileSync(file, 'utf8')) as CellReport
  expect(report.trifecta).toEqual({
    all: true,
    privateData: [`${stage.project} (rw)`],
    untrusted: ['web search of claude'],
    wayOut: expect.arrayContaining(['api.anthropic.com:443']),
  })
  const log = await paddock(stage, ['audit', 'tail', '--json', '--kind', 'cell'])
  expect(log.stdout).toContain(JSON.stringify(report.trifecta))
})

test('the file of a project can tighten the rule, and not loosen it', async () => {
  const project = async (text: string): Promise<void> => {
    stage.put('.paddock.yaml', `schemaVersion: 1\n${text}`)
    stage.own()
    expect((await paddock(stage, ['trust'])).code).toBe(0)
  }
  await project('run: { trifecta: ask }\n')
  const asked = await run('--prompt', 'x', 'claude')
  expect([asked.code, asked.stdout]).toEqual([2, ''])
  expect(asked.stderr).toMatch(/run\.trifecta: ask allows only if you agree in a terminal \(.*\.paddock\.yaml:2\)/)
  expect((await runHint(asked)).code).toBe(0)

  user('run: { trifecta: forbid, webTools: false }\n')
  await project('run: { trifecta: warn, webTools: true }\n')
  expect((await run('--prompt', 'x', 'claude')).code).toBe(0)
  const refused = await run('--untrusted', 'a mail', '--prompt', 'x', 'claude')
  expect(refused.stderr).toMatch(
    /run\.trifecta: forbid does not allow \(.*config\.yaml:2\)\.\n {2}hint: Set run\.trifecta to warn: .*config\.yaml:2\n/,
  )
  expect(refused.code).toBe(2)
})

test('with ask, the question in a terminal decides', async () => {
  user('run: { trifecta: ask }\n')
  for (const [answer, code, shown] of [
    ['n', 130, 'run claude was not started'],
    ['y', 0, 'ran '],
  ] as const) {
    const [program = '', ...rest] = [...command('user', ['run', '--prompt', 'x', 'claude'])]
    const terminal = spawnInTerminal(program, rest, { cwd: stage.project, env: { ...stage.env, ...env() } })
    let text = ''
    terminal.onData((data) => (text += data))
    const exit = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
    await expect.poll(() => text, { timeout: 30_000 }).toContain('Start it? [y/N]')
    expect(text).not.toContain('ran ')
    terminal.write(`${answer}\r`)
    expect([await exit, text.includes(shown)], text).toEqual([code, true])
  }
})

test.each([
  [['--no-web-tools', '--', 'true'], /--no-web-tools requires an agent/],
  [['--no-web-tools', '--prompt', 'x', 'grok'], /--no-web-tools: Paddock knows no way to remove the web tools of grok\./],
  [
    ['--no-web-tools', '--prompt', 'x', 'codex', '--search'],
    /--no-web-tools: the argument --search could bring the web tools of codex back\./,
  ],
] as const)('paddock run %j is refused', async (args, message) => {
  stage.own()
  const refused = await run(...args)
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toMatch(message)
})

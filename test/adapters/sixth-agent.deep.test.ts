import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRoot, makeStage, type Stage } from '../support/cli.ts'

const folder = path.join(import.meta.dirname, '../support/sixth-agent')
const main = path.join(import.meta.dirname, '../../src/cli/main.ts')
const realToken = 'canary-token-of-sixth-0123456789'

/** The line that must be added to `src/adapters/agent-names.ts`. */
const line = `export { sixth } from ${JSON.stringify(import.meta.resolve('../support/sixth-agent/adapter.ts'))}`
const hook = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      return url.endsWith('/src/adapters/agent-names.ts') ? { ...loaded, source: loaded.source + ${JSON.stringify(`\n${line}\n`)} } : loaded
    },
  })`
const withSixth = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]

let stage: Stage
let endpoint: Server
/** The credentials that the agent's endpoint received. */
let shown: (string | undefined)[]
beforeEach(async () => {
  stage = makeStage(isRoot ? 'root' : 'user')
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin)
  copyFileSync(path.join(folder, 'program.mjs'), path.join(bin, 'sixth'))
  stage.env['PATH'] = `${bin}:${stage.env['PATH']}`
  mkdirSync(path.join(stage.home, '.sixth'))
  writeFileSync(path.join(stage.home, '.sixth/login.json'), JSON.stringify({ token: realToken }), { mode: 0o600 })
  shown = []
  endpoint = createServer((request, response) => {
    shown.push(request.headers.authorization)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
})
afterEach(() => {
  endpoint.close()
  stage[Symbol.dispose]()
})

function start(args: readonly string[], nodeOptions: readonly string[] = withSixth): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [...nodeOptions, main, ...args], { cwd: stage.project, env: stage.env })
  child.stdin.end()
  return child
}

async function paddock(args: readonly string[], nodeOptions?: readonly string[]) {
  const child = start(args, nodeOptions)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, stdout, stderr }
}

const port = (): number => (endpoint.address() as AddressInfo).port
const baseUrl = (): string => `http://model.example:${port()}`
const allow = (): string => `model.example:${port()}=127.0.0.1:${port()}`
const run = (...args: string[]): string[] => [
  'run',
  '--strict-names',
  '--quiet',
  '--allow',
  allow(),
  '--base-url',
  baseUrl(),
  '--prompt',
  'x',
  'sixth',
  ...args,
]

test('without its line the agent is unknown', async () => {
  expect(await paddock(run(), [])).toMatchObject({ code: 2, stderr: expect.stringContaining('"sixth"') })
})

test('its login is a placeholder in the cell, and the gateway swaps it', async () => {
  const { code, stdout, stderr } = await paddock(run())
  expect([code, stderr]).toEqual([0, ''])
  const { token, status } = JSON.parse(stdout) as { token: string; status: number }
  expect([token, status]).toEqual([expect.stringMatching(/^sixth-\w{20,}$/), 200])
  expect(shown).toEqual([`Bearer ${realToken}`])
})

test('paddock credentials shows its login without the value', async () => {
  const { stdout } = await paddock(['credentials', 'list'])
  expect(stdout).toMatch(/^sixth +key +no expiry known +- +a placeholder +\S+\/\.sixth\/login\.json$/m)
  expect(stdout).not.toContain('canary')
})

test('its protected paths are read-only in the cell, whether they exist or not', async () => {
  stage.put('sub/.sixth/settings', 'of the user')
  const tried = ['.sixth/settings', 'sixth.conf', 'sub/.sixth/settings', 'sub/.sixth/new', 'new/.sixth/settings', 'answer']
  const { stdout } = await paddock(run(...tried))
  expect(JSON.parse(stdout)).toMatchObject({
    tried: {
      '.sixth/settings': 'EROFS',
      'sixth.conf': 'EROFS',
      'sub/.sixth/settings': 'EROFS',
      'sub/.sixth/new': 'EROFS',
      'new/.sixth/settings': 'written',
      answer: 'written',
    },
  })
  expect(stage.read('sub/.sixth/settings')).toBe('of the user')
  expect(readdirSync(stage.project).sort()).toEqual(['answer', 'new', 'sub'])
  expect(readdirSync(path.join(stage.project, 'new'))).toEqual(['.sixth.quarantined'])
})

test('a Paddock that does not know it sweeps the cell of one that did and was killed', async () => {
  stage.put('README', 'a project\n')
  stage.own()
  const child = start(run('new/.sixth/settings', 'stay'))
  await once(child.stdout, 'data')
  expect(readFileSync(path.join(stage.project, 'sixth.conf'), 'utf8')).toBe('# nothing\n')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  const { code, stderr } = await paddock(['clean'], [])
  expect([code, stderr]).toEqual([0, expect.stringContaining('new/.sixth.quarantined')])
  expect(readdirSync(stage.project)).toEqual(['README', 'new'])
})

test('its instruction file has another name for judges, in a contest in which it takes part', async () => {
  const contest = path.join(stage.root, 'contest')
  mkdirSync(contest)
  const scores = JSON.stringify({ scores: { A: { quality: 4 } } })
  // A judge that finds any other files gives no scores.
  const judge = `cd /contest/submissions/A && test "$(ls -A | sort | tr '\\n' ' ')" = "SIXTH.md.submitted.txt answer " && echo '${scores}' > /contest/outbox/scores.json`
  const config = {
    schemaVersion: 1,
    name: 'trial',
    participants: [
      {
        name: 'one',
        agent: 'sixth',
        args: ['answer', 'SIXTH.md'],
        baseUrl: baseUrl(),
        egress: { policy: 'allowlist', allow: [allow()] },
      },
    ],
    judges: [{ name: 'strict', agent: 'command', command: ['sh', '-c', judge] }],
    rubric: { dimensions: [{ id: 'quality', description: 'How good it is.' }] },
  }
  writeFileSync(path.join(contest, 'contest.yaml'), JSON.stringify(config))
  writeFileSync(path.join(contest, 'BRIEF.md'), 'Write answer.\n')
  expect((await paddock(['contest', 'run', contest])).stderr).toMatch(
    /asks for things that need your trust:\n {2}participants\[0\]\.baseUrl = /,
  )
  expect(shown).toEqual([])
  expect((await paddock(['contest', 'trust', contest])).code).toBe(0)
  const { code, stdout, stderr } = await paddock(['contest', 'run', contest])
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^1 +one +40\.0 /m), expect.any(String)])
  expect(shown).toEqual([`Bearer ${realToken}`])
})

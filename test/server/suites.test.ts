import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contestLock } from '../../src/contest/state/contest-lock.ts'
import { takeLock } from '../../src/files/lock.ts'
import { ContestRuns } from '../../src/fleet/contests/contest-runs.ts'
import { SuiteWorks } from '../../src/fleet/contests/suite-works.ts'
import type { OwnCommand } from '../../src/server/own-command.ts'
import { suiteRoutes } from '../../src/server/routes/suites/suites-routes.ts'
import { temporary } from '../support/temporary.ts'
import { bearer, testServer } from '../support/test-server.ts'

/** A program that prints its arguments once the file `go` exists. Before that, it prints the error that counts if a signal ends it. */
const program = (go: string): readonly string[] => [
  process.execPath,
  '-e',
  `const { existsSync } = require('node:fs')
  console.error(JSON.stringify({ error: { code: 'CANCELLED', message: 'The suite was stopped. Finished work is kept.', hint: null } }))
  const contests = [{ run: 'one/1', state: 'failed', why: 'no judge answered' }, { run: 'two/1', state: 'done', why: null }]
  setInterval(() => {
    if (!existsSync(${JSON.stringify(go)})) return
    console.log(JSON.stringify({ words: process.argv.slice(1), contests }))
    process.exit(1)
  }, 10)`,
  '--',
]

async function stage() {
  const stack = new AsyncDisposableStack()
  const root = stack.use(await temporary())
  const directory = root.at('suites', 'small')
  mkdirSync(directory, { recursive: true })
  mkdirSync(root.at('outside'))
  writeFileSync(root.at('suites/small/suite.yaml'), 'schemaVersion: 1\n')
  symlinkSync(root.at('outside'), root.at('suites/link'))
  const asked: (readonly string[])[] = []
  const command = (async (name: string, words: readonly string[]) => {
    asked.push([name, ...words])
    return { schemaVersion: 1, suite: 'small', contests: [] }
  }) as unknown as OwnCommand
  const own = program(root.at('go'))
  const suites = new SuiteWorks(root.at('kept'), own, {}, root.at('state'))
  const contests = new ContestRuns(root.at('contests'), own, {}, root.at('state'))
  const directories = { allowed: [root.at('suites')], agents: [], userHome: '/nowhere', key: 'fleet.contests' } as const
  const server = stack.use(await testServer({ routes: (app) => suiteRoutes(app, { contests, suites, directories, command }) }))
  const headers = bearer(server.secrets.operator)
  const post = (below: string, more: object = {}) =>
    server.ask(`/api/v1/suites${below}`, { method: 'POST', headers, body: { directory, ...more } })
  const get = (below: string, at: string = directory) =>
    server.ask(`/api/v1/suites${below}directory=${encodeURIComponent(at)}`, { headers })
  stack.defer(() => suites.cancel(directory).then(undefined, () => undefined))
  return {
    root,
    directory,
    asked,
    suites,
    server,
    post,
    get,
    work: async () => (await get('/work?')).json.work,
    /** Lets the running command end. */
    async end() {
      writeFileSync(root.at('go'), '')
      await expect.poll(async () => (await suites.of(directory))?.state, { timeout: 20_000 }).not.toBe('running')
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('each command on a suite is a process of its own with the options that were asked for', async () => {
  await using at = await stage()
  writeFileSync(at.root.at('go'), '')
  const orders: [below: string, more: object, words: readonly string[]][] = [
    ['', { retry: true, only: ['one', 'two'], parallel: 3 }, ['run', '--json', '--quiet', '--only=one,two', '--retry', '--parallel=3']],
    ['/rejudge', {}, ['rejudge', '--json', '--quiet']],
    ['/refine', { participants: ['a', 'b'] }, ['refine', '--json', '--quiet', '--participants=a,b']],
    ['/archive', { withLogs: true }, ['archive', '--json', `--out=${at.directory}/report/archives`, '--with-logs']],
    ['/compare', { base: at.directory, round: 1 }, ['compare', '--json', '--quiet']],
    [
      '/compare',
      { base: at.directory, failIf: ['worse by 3', '--out=/'], budget: 2.5, asJudged: true },
      ['compare', '--json', '--quiet', '--fail-if=worse by 3', '--fail-if=--out=/', '--as-judged', '--budget=2.5'],
    ],
  ]
  for (const [below, more, words] of orders) {
    const begun = await at.post(below, more)
    expect([begun.status, begun.json.requestedBy]).toEqual([202, 'operator'])
    await expect.poll(async () => (await at.work()).state, { timeout: 20_000 }).toBe('done')
    const { id } = begun.json
    const printed = JSON.parse(readFileSync(at.root.at('kept', id, 'stdout.log'), 'utf8')) as { words: readonly string[] }
    const { base, round } = more as { readonly base?: string; readonly round?: number }
    const runs = base === undefined ? [] : [round === undefined ? base : `${base}@${round}`]
    expect(printed.words).toEqual(['suite', ...words, '--', ...runs, at.directory])
    // Only the newest is kept.
    expect(await at.work()).toMatchObject({ id, command: words[0], notDone: [{ run: 'one/1', why: 'no judge answered' }] })
  }
  expect((await at.suites.list()).length).toBe(1)
})

test('a suite has one command at a time, also if one was started from a command line', async () => {
  await using at = await stage()
  const begun = (await at.post('')).json
  expect(begun).toMatchObject({ state: 'running', command: 'run', notDone: [] })
  await expect.poll(() => statSync(at.root.at('kept', begun.id, 'stderr.log')).size, { timeout: 20_000 }).toBeGreaterThan(0)
  for (const below of ['', '/rejudge', '/refine', '/archive']) expect((await at.post(below)).json).toMatchObject({ code: 'CONFLICT' })
  expect((await at.post('/cancel')).status).toBe(202)
  await expect.poll(async () => (await at.work()).state, { timeout: 20_000 }).not.toBe('running')
  expect(await at.work()).toMatchObject({ state: 'cancelled', problem: 'The suite was stopped. Finished work is kept.' })
  expect((await at.post('/cancel')).json).toMatchObject({ code: 'CONFLICT', detail: 'No process works on this suite.' })

  const file = await contestLock({ root: at.directory }, { state: at.root.at('state') })
  const lock = await takeLock({ file, what: 'It', command: 'paddock suite run' })
  expect((await at.post('')).json).toMatchObject({ code: 'CONFLICT' })
  expect((await at.post('/cancel')).json).toMatchObject({ code: 'CONFLICT', hint: expect.stringContaining('paddock suite cancel ') })
  lock[Symbol.dispose]()
  expect((await at.post('')).status).toBe(202)
  await at.end()
})

test('the list of suites says what was started last', async () => {
  await using at = await stage()
  const listed = async () => (await at.get('?')).json
  expect((await at.server.ask('/api/v1/suites', { headers: bearer(at.server.secrets.operator) })).json).toEqual({
    items: [{ directory: await realpath(at.directory), work: null }],
  })
  expect(await listed()).toMatchObject({ items: [{ work: null }] })
  await at.post('/archive')
  expect(await listed()).toMatchObject({ items: [{ work: { command: 'archive', state: 'running' } }] })
  await at.end()
})

test('plans, detection, leftovers and cleaning are commands with a result', async () => {
  await using at = await stage()
  await at.get('/plan?')
  await at.get('/plan?only=one&')
  await at.get('/detection?')
  await at.get('/detection?detect=5&sd=7.5&')
  await at.get('/leftovers?')
  await at.post('/clean', { only: ['one'] })
  const end = ['--', at.directory]
  expect(at.asked).toEqual([
    ['suite run --dry-run', ...end],
    ['suite run --dry-run', '--only=one', ...end],
    ['suite plan', '--detect=10', ...end],
    ['suite plan', '--detect=5', '--sd=7.5', ...end],
    ['suite clean --dry-run', ...end],
    ['suite clean', '--only=one', ...end],
  ])
})

test('nothing is started, read or removed outside of the listed directories, or with other options', async () => {
  await using at = await stage()
  for (const directory of [at.root.at('outside'), at.root.at('suites/link'), '/nowhere', `${at.directory}/../../outside`]) {
    for (const below of ['', '/rejudge', '/refine', '/archive', '/cancel', '/clean', '/compare'])
      expect((await at.post(below, { directory, ...(below === '/compare' ? { base: at.directory } : {}) })).json).toMatchObject({
        status: 403,
        code: 'NOT_ALLOWED',
      })
    for (const below of [
      '/work?',
      '/plan?',
      '/detection?',
      '/status?',
      '/report?',
      '/report.html?',
      '/leftovers?',
      '/contest?run=a/1&',
      '/comparisons?',
    ])
      expect((await at.get(below, directory)).json).toMatchObject({ status: 403, code: 'NOT_ALLOWED' })
  }
  const outside = at.root.at('outside')
  expect((await at.post('/compare', { base: outside })).json).toMatchObject({ status: 403, code: 'NOT_ALLOWED' })
  for (const name of ['..', '.', 'a/b', ''])
    expect((await at.get(`/comparison?name=${encodeURIComponent(name)}&`)).json).toMatchObject({ status: 400 })
  for (const more of [{ only: ['--fresh'] }, { only: ['a,b'] }, { fresh: true }, { out: '/' }, { parallel: 0 }, { participants: ['a'] }])
    expect((await at.post('', more)).json).toMatchObject({ status: 400, code: 'BAD_INPUT' })
  for (const run of ['../1', 'one', 'one/0', 'one/1/..', '-x/1'])
    expect((await at.get(`/contest?run=${encodeURIComponent(run)}&`)).json).toMatchObject({ status: 400 })
  expect((await at.get('/contest?run=one/1&')).json).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  mkdirSync(at.root.at('suites/small/runs/one'), { recursive: true })
  symlinkSync(at.root.at('outside'), at.root.at('suites/small/runs/one/1'))
  expect((await at.get('/contest?run=one/1&')).json).toMatchObject({ status: 403, code: 'NOT_ALLOWED' })
  expect([at.asked, await at.suites.list()]).toEqual([[], []])
})

test('comparisons are listed with the newest first, and shown as data and as a page', async () => {
  await using at = await stage()
  expect((await at.get('/comparisons?')).json).toEqual({ items: [] })
  const made = (base: string, generatedAt: string) => ({
    ...{ schemaVersion: 1, suite: 'small', generatedAt, base, new: '.', decides: 'checks', sentences: ['It is worse.'], participants: [] },
    ...{ gates: [], isFailed: true, briefs: [], leftOut: [], judges: [], trend: [], spentUsd: 0, notes: [] },
  })
  const below = 'suites/small/comparisons/reports'
  for (const [name, day] of [
    ['old', 1],
    ['older one', 2],
  ] as const) {
    mkdirSync(at.root.at(below, name), { recursive: true })
    writeFileSync(at.root.at(below, name, 'comparison.json'), JSON.stringify(made(name, `2026-11-0${day}T00:00:00.000Z`)))
    writeFileSync(at.root.at(below, name, 'comparison.html'), `<p>${name}`)
  }
  mkdirSync(at.root.at(below, 'broken'))
  writeFileSync(at.root.at(below, 'broken/comparison.json'), '{}')
  symlinkSync(at.root.at(below, 'old'), at.root.at(below, 'link'))
  const { items } = (await at.get('/comparisons?')).json
  expect(items.map(({ name, sentences }: { readonly name: string; readonly sentences: unknown }) => [name, sentences])).toEqual([
    ['older one', ['It is worse.']],
    ['old', ['It is worse.']],
  ])
  expect((await at.get('/comparison?name=older%20one&')).json).toEqual(made('older one', '2026-11-02T00:00:00.000Z'))
  const page = await at.get('/comparison.html?name=old&')
  expect([page.status, page.text]).toEqual([200, '<p>old'])
  for (const name of ['broken', 'link', 'none'])
    expect((await at.get(`/comparison?name=${name}&`)).json).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

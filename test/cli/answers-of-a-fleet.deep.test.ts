import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { results } from '../../src/cli/results.ts'
import { apiClient } from '../../src/client/api-client.ts'
import { paddock } from '../support/cli.ts'
import { type DiscordFleet, found, shell, startDiscordFleet } from '../support/discord-fleet.ts'
import { endOf } from '../support/fleet-job.ts'

const ofFleets = /^(?:agent|answer|discord|fleet|hook|inbox|job|lease|memory|open|schedule|session|token|usage|webhook)\b/
const ran = new Set<string>()
let here: DiscordFleet
beforeAll(async () => {
  here = await startDiscordFleet()
})
afterAll(() => here[Symbol.asyncDispose]())

/** Runs a command with `--json`; `paddock` checks its output against its schema. Returns the last line, or the whole output. */
async function answer(words: readonly string[], code = 0): Promise<Readonly<Record<string, string>>> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => Object.hasOwn(results, each)) ?? ''
  const { stdout, stderr, code: ended } = await paddock(here.fleet.stage, [...words, '--data', here.fleet.data, '--json'])
  expect([words.join(' '), ended, stdout !== ''], stderr).toEqual([words.join(' '), code, true])
  ran.add(name)
  const lines = stdout.trim().split('\n')
  return JSON.parse(lines.every((each) => each.startsWith('{"')) ? (lines.at(-1) ?? '') : stdout)
}

function manifest(name: string, text: object): string {
  const file = path.join(here.fleet.stage.root, 'home', `${name}.yaml`)
  writeFileSync(file, JSON.stringify({ name, ...text }))
  here.fleet.stage.own()
  return file
}

test('agents, memory and jobs', async () => {
  here.scripts.set('say', () => ({ say: 'said' }))
  await answer(['agent', 'create', manifest('talker', here.model({ memory: { last: 5 } }))])
  await answer(['agent', 'edit', 'talker', manifest('talker', here.model({ memory: { last: 5 }, labels: ['x'] }))])
  for (const each of [
    ['list', '--all'],
    ['show', 'talker'],
    ['stop', 'talker'],
    ['start', 'talker'],
  ])
    await answer(['agent', ...each])
  const { id = '' } = await answer(['job', 'run', 'talker', '--prompt', 'say'])
  await answer(['job', 'continue', id, '--prompt', 'say'])
  const { id: newest = '' } = await answer(['job', 'message', id, '--prompt', 'say', '--detach'])
  for (const each of ['wait', 'show', 'watch']) await answer(['job', each, newest])
  await answer(['job', 'list', '--agent', 'talker'])
  await answer(['memory', 'list', 'talker'])
  await answer(['memory', 'forget', 'talker', '--all'])

  await answer(['agent', 'create', manifest('slow', shell('cat > /dev/null; sleep 60'))])
  const { id: first = '' } = await answer(['job', 'run', 'slow', '--prompt', 'one', '--detach'])
  const { id: second = '' } = await answer(['job', 'run', 'slow', '--prompt', 'two', '--detach'])
  await answer(['job', 'change', second, '--prompt', 'three'])
  await answer(['job', 'cancel', second])
  await answer(['job', 'cancel', first])
  await endOf(here.fleet, first)

  const { project } = here.fleet.stage
  here.fleet.stage.put('a.txt', 'one\n')
  here.fleet.stage.own()
  await answer(['agent', 'create', manifest('copier', { ...shell('cat > a.txt; echo x > b.txt'), workspace: { copy: project } })])
  const { id: changes = '' } = await answer(['job', 'run', 'copier', '--prompt', 'two'])
  await answer(['job', 'review', changes])
  await answer(['job', 'apply', changes, 'a.txt'])
  await answer(['job', 'discard', changes])
  const operator = apiClient(here.fleet.url, (request) => fetch(request), await here.fleet.token('operator'))
  const yaml = "{name: asker, agent: command, command: [cat], egress: {allow: ['h.test:1=10.0.0.1:1']}}"
  await operator.POST('/api/v1/agents', { body: { yaml } })
  await answer(['agent', 'approve', 'asker', '1'])
  await answer(['agent', 'archive', 'copier'])
  await answer(['agent', 'delete', 'slow'])
})

test('questions, schedules, hooks, webhooks, leases and terminals', async () => {
  await answer(['inbox'])
  const ask = {
    agent: 'command',
    command: ['sh', '-c', 'cat > /dev/null; curl -s http://a.test:8080/; true'],
    egress: { ask: ['a.test:8080'] },
  }
  await answer(['agent', 'create', manifest('reacher', ask)])
  const { id: asks = '' } = await answer(['job', 'run', 'reacher', '--prompt', 'x', '--detach'])
  const question = await found(async () => (await here.fleet.api.GET('/api/v1/inbox')).data?.items[0])
  await answer(['answer', question.id, 'deny'])
  await endOf(here.fleet, asks)

  const schedule = ['nightly', '--agent', 'reacher', '--cron', '0 3 * * *', '--prompt', 'x']
  await answer(['schedule', 'create', ...schedule])
  await answer(['schedule', 'edit', ...schedule])
  for (const each of ['list', 'show nightly', 'pause nightly', 'resume nightly', 'run nightly', 'delete nightly'])
    await answer(['schedule', ...each.split(' ')])
  for (const each of [['create', 'in', '--agent', 'reacher', '--prompt', 'x'], ['list'], ['delete', 'in']]) await answer(['hook', ...each])
  await answer(['webhook', 'add', 'out', 'https://receiver.invalid/x'])
  for (const each of ['list', 'show out', 'pause out', 'resume out']) await answer(['webhook', ...each.split(' ')])
  // The name does not resolve, so the test of the webhook fails.
  await answer(['webhook', 'test', 'out'], 1)
  await answer(['webhook', 'remove', 'out'])
  await answer(['lease', 'create', 'talker', '--name', 'lent', '--expires', '7d'])
  for (const each of ['list', 'show lent', 'revoke lent']) await answer(['lease', ...each.split(' ')])
  const { data } = await here.fleet.api.POST('/api/v1/agents/{agent}/sessions', {
    params: { path: { agent: 'talker' } },
    body: { size: { columns: 80, rows: 24 }, command: ['cat'] },
  })
  await answer(['session', 'list'])
  await answer(['session', 'end', data?.id ?? ''])
})

test('Discord, tokens, usage, links and backups', async () => {
  const token = path.join(here.fleet.stage.root, 'home/bot')
  writeFileSync(token, here.discord.token)
  here.fleet.stage.own()
  await answer(['discord', 'connect', '--token-file', token])
  await found(async () => (await here.status())?.state === 'ready')
  await answer(['discord', 'status'])
  const channel = here.discord.id()
  await answer(['discord', 'add', 'talker', channel, '--user', here.discord.user])
  for (const each of ['channels', `remove ${channel}`, 'disconnect']) await answer(['discord', ...each.split(' ')])
  await answer(['token', 'create', 'mine', '--role', 'viewer'])
  await answer(['token', 'list'])
  await answer(['token', 'revoke', 'mine'])
  await answer(['usage', '--by', 'day'])
  await answer(['open', '--role', 'viewer'])
  const file = path.join(here.fleet.stage.root, 'home/fleet.tar')
  await answer(['fleet', 'backup', file])
  await answer(['fleet', 'resume'])
  const { stdout, code } = await paddock(here.fleet.stage, [
    ...['fleet', 'restore', file, '--json'],
    ...['--data', path.join(here.fleet.stage.root, 'home/other')],
  ])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { jobs: expect.any(Number) as number }])
  ran.add('fleet restore')
})

test('every command of a fleet was run', () => {
  expect([...ran].toSorted()).toEqual(
    Object.keys(results)
      .filter((each) => ofFleets.test(each))
      .toSorted(),
  )
})

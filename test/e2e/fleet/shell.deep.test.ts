import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { command, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

const run = promisify(execFile)
let fleet: FleetServer
beforeAll(async () => {
  fleet = await startFleet('user')
  const manifest = { name: 'writer', agent: 'command', command: ['sh'], egress: { policy: 'off' as const } }
  await fleet.api.POST('/api/v1/agents', { body: { manifest } })
})
afterAll(() => fleet[Symbol.asyncDispose]())

/** Opens a terminal of the user in tmux that runs `paddock shell`. */
async function terminal(...args: readonly string[]) {
  const socket = path.join(fleet.stage.root, `tmux-${Math.random().toString(36).slice(2)}`)
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await run('tmux', ['-S', socket, ...words], { env: fleet.stage.env })).stdout
  const line = command('user', ['shell', '--data', fleet.data, ...args]).map((each) => `'${each.replaceAll("'", "'\\''")}'`)
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '70', '-y', '15', `${line.join(' ')}; echo "exit $?"; sleep 60`)
  onTestFinished(() => tmux('kill-server').then(() => undefined))
  const sees = async (text: string | RegExp): Promise<string> => {
    for (let tries = 0; tries < 400; tries++) {
      const shown = await tmux('capture-pane', '-p')
      if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown
      await setTimeout(50)
    }
    throw new Error(`never seen: ${text}\n${await tmux('capture-pane', '-p')}`)
  }
  return { sees, type: (text: string) => tmux('send-keys', '-l', text), key: (key: string) => tmux('send-keys', key) }
}

test('paddock shell opens a terminal, leaves it, comes back over a new server, and ends with it', async () => {
  const first = await terminal('writer')
  await first.sees('$')
  await first.type('stty size; echo it is $((6 * 7))')
  await first.key('Enter')
  expect(await first.sees('it is 42')).toContain('15 70')
  const watching = await terminal('writer', '--watch')
  await watching.sees('it is 42')
  await watching.type('echo never')
  await watching.key('Enter')
  await first.key('C-]')
  const left = await first.sees('exit 0')
  const id = /paddock: (e-\w{20}) keeps running/.exec(left)?.[1] ?? ''
  expect((await paddock(fleet.stage, ['session', 'list', '--data', fleet.data])).stdout).toMatch(
    new RegExp(`\\n${id} +writer .* 1 +- +sh\\n$`),
  )
  const back = await terminal(id)
  await back.sees('it is 42')
  await fleet.replace()
  while ((await fleet.api.GET('/api/v1/sessions')).data?.items[0]?.typist == null) await setTimeout(50)
  await back.type('echo and $((7 * 7))')
  await back.key('Enter')
  expect(await back.sees('and 49')).not.toContain('never')
  await watching.sees('and 49')
  await back.type('exit 7')
  await back.key('Enter')
  await back.sees(/paddock: Its program ended with 7\.\nexit 0/)
  await watching.sees('Its program ended with 7.')
})

test('a missing terminal, a missing agent and nothing to watch are one sentence each; a session is ended by its id', async () => {
  const refused = await paddock(fleet.stage, ['shell', 'writer', '--data', fleet.data])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('paddock shell requires a terminal.')])
  await (await terminal('nobody')).sees(/There is no agent named nobody\..*exit 2/s)
  await (await terminal('writer', '--watch')).sees(/writer has no terminal to watch\..*exit 2/s)
  const own = await terminal('writer', '--new', '--', 'sh', '-c', 'echo ready; exec cat')
  await own.sees('ready')
  await own.type('typed')
  await own.sees('typed')
  const { items } = JSON.parse((await paddock(fleet.stage, ['session', 'list', '--data', fleet.data, '--json'])).stdout) as {
    items: { id: string }[]
  }
  const ended = await paddock(fleet.stage, ['session', 'end', items[0]?.id ?? '', '--data', fleet.data])
  expect([ended.code, ended.stderr]).toEqual([0, `paddock: ${items[0]?.id} of writer ends\n`])
  await own.sees(/paddock: It was ended\.\nexit 0/)
  const none = await paddock(fleet.stage, ['session', 'end', 'e-00000000000000000000', '--data', fleet.data])
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no session')])
})

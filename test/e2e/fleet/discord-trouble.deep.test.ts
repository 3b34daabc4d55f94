import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DiscordFleet, found, replyOf, shell, startDiscordFleet } from '../../support/discord-fleet.ts'

let here: DiscordFleet
let channel: string
beforeAll(async () => {
  here = await startDiscordFleet()
  await here.connect()
  channel = await here.withChannel('echo', shell('cat'))
})
afterAll(() => here[Symbol.asyncDispose]())

const say = (text: string): string => here.discord.say({ channel, content: `<@${here.discord.bot}> ${text}` })
/** Returns the posts that answer a message, in order. */
const answers = (message: string): readonly string[] =>
  here.discord.posted.filter((each) => replyOf(each) === message).map(({ content }) => (content.includes('accepted') ? 'accepted' : 'end'))
const prompts = async () => (await here.jobs('echo')).map(({ promptStart }) => promptStart)

test('a dropped connection is resumed, and what was written meanwhile is carried out', async () => {
  const { discord } = here
  const before = discord.arrivals.length
  discord.drop()
  await here.postTo(say('during the drop'), '**done**')
  discord.drop(4000)
  await here.postTo(say('another drop'), '**done**')
  expect(discord.arrivals.slice(before)).toEqual(['resume', 'resume'])
  discord.send('{"op":7,"d":null}')
  await found(() => discord.arrivals.length === before + 3)
  await here.postTo(say('asked to reconnect'), '**done**')
  expect(discord.arrivals.at(-1)).toBe('resume')
})

test('an unknown session is started again, and messages of the gap are read', async () => {
  const { discord } = here
  const before = discord.arrivals.length
  discord.reach(false)
  discord.forget()
  const missed = [say('first in the gap'), say('second in the gap')]
  discord.reach(true)
  for (const each of missed) await here.postTo(each, '**done**')
  expect(discord.arrivals.slice(before)).toEqual(['resume', 'identify'])
  expect((await prompts()).slice(0, 2)).toEqual(['second in the gap', 'first in the gap'])
})

test('a message that comes again is one job, also after a new server', async () => {
  const { discord } = here
  const message = say('only once')
  await here.postTo(message, '**done**')
  discord.replay(message)
  await here.fleet.replace()
  discord.replay(message)
  discord.forget()
  discord.drop()
  await here.postTo(say('after it'), '**done**')
  expect((await prompts()).filter((each) => each === 'only once')).toHaveLength(1)
  expect(answers(message)).toEqual(['accepted', 'end'])
})

test('invalid frames, and an edited message, have no effect', async () => {
  const { discord } = here
  const message = say('as it was')
  await here.postTo(message, '**done**')
  for (const frame of [
    '',
    'no json',
    '[]',
    'null',
    '{"op":10,"d":null}',
    '{"op":0,"t":"MESSAGE_CREATE","s":"x","d":{}}',
    '{"op":9}',
    '{"op":99}',
  ])
    discord.send(frame)
  discord.send(
    JSON.stringify({ op: 0, t: 'MESSAGE_UPDATE', s: 1, d: { id: message, channel_id: channel, content: `<@${discord.bot}> as it is` } }),
  )
  await here.postTo(say('and on it goes'), '**done**')
  expect(await prompts()).not.toContain('as it is')
})

test('frames that come twice, or where they do not belong, end neither the server nor the connection', async () => {
  const { discord } = here
  const hello = '{"op":10,"d":{"heartbeat_interval":1000}}'
  for (const each of [hello, '{"op":7,"d":null}', '{"op":9,"d":true}', '{"op":9,"d":false}', '{"op":1,"d":null}', '{"op":11,"d":null}']) {
    for (const frame of [each, each, hello, each]) discord.send(frame)
    await here.postTo(say(`after ${each.slice(6, 8)}`), '**done**')
  }
  await found(() => discord.open === 1)
})

test('rate limits, failures and lost answers leave each post once, in order', async () => {
  const { discord } = here
  discord.troubles.push({ status: 429, headers: { 'retry-after': '0.2' } }, { status: 429, headers: { 'retry-after': '0.1' } })
  const limited = say('limited')
  await here.postTo(limited, '**done**')
  discord.troubles.push('cut', { status: 502, taken: true }, { status: 503 })
  const lost = say('lost')
  await here.postTo(lost, '**done**')
  for (const each of [limited, lost]) expect(answers(each)).toEqual(['accepted', 'end'])
  discord.troubles.push({ status: 400 })
  const refused = say('refused')
  await here.postTo(refused, '**done**')
  expect(answers(refused)).toEqual(['end'])
  const [{ posts } = { posts: null }] = (await here.status()).channels
  expect(posts).toMatchObject({ waiting: 0, givenUp: 1, problem: 'Discord answered 400.' })
})

test('a job that ends while Discord is away is posted by the next server, once', async () => {
  const { discord, fleet } = here
  const slow = await here.withChannel('slow', shell('touch begun; cat; while [ ! -e go ]; do sleep 0.05; done'))
  const message = discord.say({ channel: slow, content: `<@${discord.bot}> slowly` })
  await here.postTo(message, 'accepted')
  const { data } = await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'slow' } } })
  const work = path.join(fleet.data, 'agents', data?.id ?? '', 'slots/1/work')
  await found(() => existsSync(path.join(work, 'begun')))
  discord.reach(false)
  writeFileSync(path.join(work, 'go'), '')
  await found(async () => (await here.jobs('slow'))[0]?.state === 'done')
  await found(async () => (await here.status()).channels.some(({ agent, posts }) => agent === 'slow' && posts.problem !== null))
  await fleet.kill('SIGKILL')
  discord.reach(true)
  await fleet.start()
  await here.postTo(message, '**done**')
  // A post made just before the kill is recognized by its nonce.
  await fleet.replace()
  await here.postTo(say('after the kill'), '**done**')
  expect(answers(message)).toEqual(['accepted', 'end'])
})

test('a job whose host process is lost is followed by another one, and the result of that is posted', async () => {
  const { discord, fleet } = here
  const lost = await here.withChannel('lost', { ...shell('if [ -e begun ]; then cat; else touch begun; sleep 600; fi'), restart: 'again' })
  const message = discord.say({ channel: lost, content: `<@${discord.bot}> again and again` })
  const { data } = await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'lost' } } })
  const id = data?.id ?? ''
  await found(() => existsSync(path.join(fleet.data, 'agents', id, 'slots/1/work/begun')))
  process.kill(fleet.hostOf(id), 'SIGKILL')
  expect((await here.postTo(message, '**done**')).content).toContain('again and again')
  expect(answers(message)).toEqual(['accepted', 'end'])
})

test('a token or an intent that is refused ends all attempts, and the status says what to do', async () => {
  const { discord, fleet } = here
  discord.refuses = 4014
  discord.forget()
  discord.drop()
  await found(async () => (await here.status()).state === 'broken')
  expect((await here.run('status')).stdout).toContain('does not grant the bot the intent Guild Messages')
  const { length } = discord.arrivals
  discord.refuses = null
  await here.connect()
  expect(discord.arrivals.slice(length)).toEqual(['identify'])
  await here.postTo(say('again'), '**done**')

  discord.valid = 'another-token-that-is-valid-now'
  discord.drop()
  await found(async () => (await here.status()).state === 'broken')
  expect((await here.run('status')).stdout).toContain('Discord refuses the token')
  expect((await here.run('status')).code).toBe(1)
  await fleet.replace()
  await found(async () => (await here.status()).state === 'broken')
  discord.valid = discord.token
  await here.connect()
  expect((await here.run('disconnect')).stdout).toBe('The bot is disconnected, and its token is forgotten.\n')
  expect(await here.status()).toMatchObject({
    state: 'off',
    bot: null,
    channels: [{ agent: 'echo' }, { agent: 'slow' }, { agent: 'lost' }],
  })
  await found(() => discord.open === 0)
  await setTimeout(0)
})

test('the token is in the database and nowhere else', async () => {
  const { discord, fleet } = here
  await here.connect()
  const places = [fleet.stage.root, fleet.data]
  const files = execFileSync('grep', ['-rlaF', '--', discord.token, ...places])
    .toString()
    .trim()
    .split('\n')
  expect([...new Set(files.map((each) => path.basename(each)))].filter((each) => !/^fleet\.db(?:-wal|-shm)?$/.test(each))).toEqual([])
  expect(JSON.stringify(await here.status())).not.toContain(discord.token)
  await here.run('disconnect')
  expect(readFileSync(path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'), 'utf8')).not.toContain(discord.token)
})

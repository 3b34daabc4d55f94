import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paddock } from '../../support/cli.ts'
import { type DiscordFleet, found, shell, startDiscordFleet } from '../../support/discord-fleet.ts'
import { calling } from '../../support/fleet-models.ts'

let here: DiscordFleet
beforeAll(async () => {
  here = await startDiscordFleet()
})
afterAll(() => here[Symbol.asyncDispose]())
const mention = () => `<@${here.discord.bot}>`

test('a bot is connected and an agent given a channel while the server runs; prompts get jobs, and results come back', async () => {
  expect(await here.status()).toMatchObject({ state: 'off', bot: null, channels: [] })
  const wrong = path.join(here.fleet.stage.project, 'wrong')
  writeFileSync(wrong, 'not-the-token-of-any-bot-at-all')
  expect((await here.run('connect', '--token-file', wrong)).stderr).toContain('Discord refuses this token.')
  const file = path.join(here.fleet.stage.project, 'token')
  writeFileSync(file, `${here.discord.token}\n`)
  const made = await here.run('connect', '--token-file', file)
  expect(made.code, made.stderr).toBe(0)
  expect(made.stdout).toContain('paddock-bot is connected.')
  await here.createAny({ name: 'echo', agent: 'command', command: ['sh', '-c', 'cat; echo " is done"'], egress: { policy: 'off' } })
  expect((await here.run('add', 'echo', here.discord.channel)).stderr).toContain('No user is given')
  expect((await here.run('add', 'echo', 'general', '--user', here.discord.user)).stderr).toContain('must be an id of Discord')
  const added = await here.run('add', 'echo', here.discord.channel, '--user', here.discord.user)
  expect(added.stdout).toBe(`1 user can create jobs for echo in channel ${here.discord.channel}.\n`)
  await found(async () => (await here.status()).state === 'ready')

  const asked = here.discord.say({ content: `${mention()} write @everyone \`\`\`[a](https://x.example)` })
  const accepted = await here.postTo(asked, 'is accepted')
  const ended = await here.postTo(asked, '**done**')
  const [job] = await here.jobs('echo')
  expect(job).toMatchObject({ requestedBy: `discord:${here.discord.user}`, state: 'done' })
  expect(accepted.content).toContain(job?.id)
  expect(ended.content).toBe(
    `\`echo\`: **done**, job \`${job?.id}\`\n\`\`\`\nwrite @everyone \`\u200b\`\u200b\`[a](https://x.example) is done\n\`\`\``,
  )
  for (const { body } of here.discord.posted)
    expect(body).toMatchObject({ allowed_mentions: { parse: [], replied_user: false }, flags: 4, enforce_nonce: true })
  expect((await here.run('status')).stdout).toContain(`state     ready, as paddock-bot (${here.discord.bot})`)
  expect((await here.run('channels')).stdout).toMatch(new RegExp(`${here.discord.channel} +echo +${here.discord.user}\n`))
})

test('a long answer is a file; help, status and stop answer, also for a job by its id', async () => {
  const channel = await here.withChannel('worker', shell('case "$(cat)" in long*) seq -s, 1 2000;; *) sleep 600;; esac'))
  const long = here.discord.say({ channel, content: `long text, please ${mention()}` })
  const { content, file } = await here.postTo(long, 'The answer is in the file.')
  expect(content).toContain('**done**')
  expect(file?.name).toMatch(/^answer-j-\w+\.txt$/)
  expect(file?.text).toMatch(/^1,2,3,.*,1999,2000$/)

  const help = here.discord.say({ channel, content: mention() })
  expect((await here.postTo(help, 'Mention me with a prompt')).content).toContain('`worker`')
  const idle = here.discord.say({ channel, content: `${mention()} stop` })
  await here.postTo(idle, 'Not done: `No job of worker runs.`')
  const sleeping = here.discord.say({ channel, content: `${mention()} sleep`, more: { attachments: [{ id: '1' }] } })
  const accepted = await here.postTo(sleeping, 'Attachments are not read.')
  const id = /j-\w+/.exec(accepted.content)?.[0] ?? ''
  await found(async () => (await here.jobs('worker')).some((each) => each.id === id && each.state === 'running'))
  const asked = here.discord.say({ channel, content: `<@!${here.discord.bot}> STATUS` })
  expect((await here.postTo(asked, 'is **working**')).content).toContain(`running \`${id}\` \`sleep\``)
  const [other] = await here.jobs('echo')
  const foreign = here.discord.say({ channel, content: `${mention()} stop ${other?.id}` })
  await here.postTo(foreign, `Not done: \`worker has no job ${other?.id}.\``)
  const stopping = here.discord.say({ channel, content: `${mention()} stop ${id}` })
  await here.postTo(stopping, 'is being ended.')
  await here.postTo(sleeping, '**cancelled**')
  expect((await here.audited('discord.stop')).map(({ actor, data }) => [actor, data['job']])).toEqual([
    [`discord:${here.discord.user}`, id],
  ])
})

test('questions of an agent are posted and answered by a reply or by id; the first answer counts', async () => {
  here.scripts.set('colour', calling([['ask', { question: 'Which `colour`? <@&1>' }]]))
  here.scripts.set(
    'touch',
    calling([
      ['bash', { command: 'touch yes' }],
      ['bash', { command: 'touch no' }],
    ]),
  )
  const channel = await here.withChannel('asker', here.model({ tools: ['ask', 'ask bash'] }))
  const first = here.discord.say({ channel, content: `${mention()} colour of the door` })
  const question = await here.postIn(channel, '`asker` asks')
  expect(question.content).toContain('```\nWhich `colour`? <@&1>\n```')
  const unread = here.discord.say({ channel, content: 'green', reply: question.id, quiet: true })
  await here.postTo(unread, 'I see the text of a reply only if it mentions me')
  const answer = here.discord.say({ channel, content: 'green', reply: question.id })
  await here.postTo(answer, ': answered.')
  expect((await here.postTo(first, '**done**')).content).toContain('green')
  const late = here.discord.say({ channel, content: 'red', reply: question.id })
  await here.postTo(late, `Not done: \`discord:${here.discord.user} answered it before.\``)

  const second = here.discord.say({ channel, content: `${mention()} touch files` })
  const call = await here.postIn(channel, 'touch yes')
  expect(call.content).toContain('wants to call a tool')
  const perhaps = here.discord.say({ channel, content: 'perhaps', reply: call.id })
  await here.postTo(perhaps, 'perhaps is neither allow nor deny.')
  here.discord.say({ channel, content: 'allow', reply: call.id })
  const other = await here.postIn(channel, 'touch no')
  const id = /answer (j-\S+) /.exec(other.content)?.[1] ?? ''
  const denied = here.discord.say({ channel, content: `${mention()} answer ${id} deny not that one` })
  await here.postTo(denied, ': denied.')
  expect((await here.postTo(second, '**done**')).content).toContain('This call was denied: not that one')
  expect((await here.audited('discord.answer')).map(({ data }) => data['question'])).toContain(id)
})

test('an action that is posted only in part can be denied in the channel, and allowed only elsewhere', async () => {
  const long = (name: string): string => `touch ${name} # ${'x'.repeat(3_000)}`
  here.scripts.set(
    'parts',
    calling([
      ['bash', { command: long('one') }],
      ['bash', { command: long('two') }],
    ]),
  )
  const channel = await here.withChannel('longwinded', here.model({ tools: ['ask bash'] }))
  const given = here.discord.say({ channel, content: `${mention()} parts of it` })
  const first = await here.postIn(channel, 'touch one')
  expect(first.content).toContain('This is only its beginning, so you can only `deny` it here.')
  const { data } = await here.fleet.api.GET('/api/v1/inbox')
  const id = data?.items.find(({ agent }) => agent === 'longwinded')?.id ?? ''
  const [reply, named] = [{ content: 'allow', reply: first.id }, { content: `${mention()} answer ${id} allow` }]
  for (const each of [reply, named])
    await here.postTo(here.discord.say({ channel, ...each }), `Not done: \`The post shows only a part of ${id}.`)
  await here.fleet.api.POST('/api/v1/inbox/{id}/answer', { params: { path: { id } }, body: { allowed: true, text: '' } })
  const second = await here.postIn(channel, 'touch two')
  await here.postTo(here.discord.say({ channel, content: 'deny too long', reply: second.id }), ': denied.')
  expect((await here.postTo(given, '**done**')).content).toContain('This call was denied: too long')
})

test("a cell's question about a host is posted, and answered once", async () => {
  const curl = 'curl -s -o /dev/null -w "code %{http_code}" http://a.test:8080/; cat >/dev/null'
  const channel = await here.withChannel('reacher', { agent: 'command', command: ['sh', '-c', curl], egress: { ask: ['a.test:8080'] } })
  const asked = here.discord.say({ channel, content: `${mention()} reach out` })
  const question = await here.postIn(channel, 'wants to reach something')
  expect(question.content).toContain('connect to a.test:8080')
  const denied = here.discord.say({ channel, content: 'deny', reply: question.id })
  await here.postTo(denied, ': denied once.')
  await here.postTo(asked, 'code')
})

test('a reply to a result goes on in its conversation', async () => {
  here.scripts.set('one', ({ userTexts }) => ({ say: `heard ${userTexts.length}` }))
  here.scripts.set('two', ({ userTexts }) => ({ say: `heard ${userTexts.length}` }))
  const channel = await here.withChannel('talker', here.model())
  const first = here.discord.say({ channel, content: `${mention()} one` })
  const result = await here.postTo(first, 'heard 1')
  const second = here.discord.say({ channel, content: 'two', reply: result.id })
  await here.postTo(second, 'Message accepted')
  await here.postTo(second, 'heard 2')
})

test('M6: strangers, programs, other channels and anything but a message of a user are ignored, counted and audited', async () => {
  const channel = await here.withChannel('shy', shell('cat'))
  const [stranger, before] = [here.discord.id(), await here.status()]
  const content = `${mention()} do it`
  here.discord.say({ channel, content, user: stranger })
  here.discord.say({ channel, content, user: stranger })
  here.discord.say({ channel, content: `${mention()} status`, user: stranger })
  here.discord.say({ channel: here.discord.id(), content })
  here.discord.say({ channel, content, more: { author: { id: here.discord.user, bot: true } } })
  here.discord.say({ channel, content, more: { webhook_id: here.discord.id() } })
  here.discord.say({ channel, content, more: { type: 7 } })
  here.discord.say({ channel: here.discord.id(), content, more: { guild_id: undefined } })
  here.discord.say({ channel, content: 'nothing for the bot' })
  here.discord.say({ channel, content, more: { author: null } })
  const last = here.discord.say({ channel, content: `${mention()} the last one` })
  await here.postTo(last, '**done**')
  expect(await here.jobs('shy')).toHaveLength(1)
  expect(here.discord.posted.filter((each) => each.channel === channel)).toHaveLength(2)
  const { refused } = await here.status()
  const more = Object.fromEntries(Object.entries(refused).map(([why, count]) => [why, count - before.refused[why as 'user']]))
  expect(more).toEqual({ user: 3, channel: 2, program: 2, system: 1 })
  const lines = (await here.audited('discord.refused')).filter(({ actor }) => actor === `discord:${stranger}`)
  expect(lines.map(({ data }) => data['why'])).toEqual(['user'])
})

test('a user who is removed has no rights at once, and nothing is posted in a channel that is removed', async () => {
  const other = here.discord.id()
  const channel = await here.withChannel('left', shell('cat'), [here.discord.user, other])
  const first = here.discord.say({ channel, content: `${mention()} first`, user: other })
  await here.postTo(first, '**done**')
  expect((await here.run('remove', channel, '--user', other)).stdout).toContain('can no longer create jobs for left')
  here.discord.say({ channel, content: `${mention()} second`, user: other })
  const third = here.discord.say({ channel, content: `${mention()} third` })
  await here.postTo(third, '**done**')
  expect((await here.jobs('left')).map(({ promptStart }) => promptStart)).toEqual(['third', 'first'])
  expect((await here.run('remove', channel)).stdout).toBe(`Channel ${channel} is removed.\n`)
  expect((await here.run('remove', channel)).stderr).toContain(`No agent has the channel ${channel}.`)
})

test('a restored fleet does not sign its bot in until it is resumed, and then leaves out what was written before', async () => {
  const { fleet, discord } = here
  await here.connect()
  const channel = await here.withChannel('copied', shell('cat'))
  const run = (...words: string[]) => paddock(fleet.stage, ['fleet', ...words, '--data', fleet.data])
  const file = path.join(fleet.stage.root, 'home', 'fleet.tar')
  expect((await run('backup', file)).code).toBe(0)
  const restore = async (): Promise<void> => {
    await fleet.kill('SIGTERM')
    for (const pid of fleet.hosts()) process.kill(pid, 'SIGKILL')
    rmSync(fleet.data, { recursive: true })
    expect((await run('restore', file)).code).toBe(0)
    await fleet.start()
  }
  const before = discord.arrivals.length
  await restore()
  discord.say({ channel, content: `${mention()} in the pause` })
  const paused = { state: 'off', problem: 'The fleet is paused. To end the pause: paddock fleet resume' }
  expect(await here.status()).toMatchObject(paused)
  expect(discord.arrivals.slice(before)).toEqual([])
  expect((await run('resume')).code).toBe(0)
  await found(async () => (await here.status()).state === 'ready')
  // The session of the original fleet is not taken over.
  expect(discord.arrivals.slice(before)).toEqual(['identify'])
  const asked = discord.say({ channel, content: `${mention()} after it` })
  await here.postTo(asked, '**done**')
  expect((await here.jobs('copied')).map(({ promptStart }) => promptStart)).toEqual(['after it'])

  await restore()
  expect((await fleet.api.PUT('/api/v1/discord', { body: { token: discord.token } })).data).toMatchObject(paused)
  expect(discord.arrivals.slice(before)).toEqual(['identify'])
})

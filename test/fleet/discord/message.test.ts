import { describe, expect, test } from 'vitest'
import { commandIn } from '../../../src/fleet/discord/command.ts'
import { type DiscordMessage, type Known, messageSchema, standingOf, textFor } from '../../../src/fleet/discord/discord-message.ts'
import { byAge, idAt, snowflake, timeOf } from '../../../src/fleet/discord/snowflake.ts'

const [bot, user, stranger, channel] = ['1153725998765432109', '80351110224678912', '90351110224678912', '1153726112345678901'] as const
const known: Known = { bot, users: [user], isOwn: (id) => id === '1153726112345678999' }
const message = (more: Readonly<Record<string, unknown>> = {}): DiscordMessage =>
  messageSchema.parse({
    ...{ id: '1153726112345678902', channel_id: channel, type: 0, author: { id: user }, content: `<@${bot}> hello` },
    ...{ mentions: [{ id: bot }], attachments: [], ...more },
  })

describe('a message counts', () => {
  test.each([
    ['taken', {}],
    ['taken', { type: 19, mentions: [], message_reference: { message_id: '1153726112345678999' } }],
    ['others', { mentions: [] }],
    ['others', { mentions: [], message_reference: { message_id: '1153726112345678998' } }],
    ['others', { author: { id: bot, bot: true } }],
    ['user', { author: { id: stranger } }],
    ['program', { author: { id: user, bot: true } }],
    ['program', { webhook_id: user }],
    ['program', { application_id: user }],
    ['system', { type: 6 }],
    ['system', { type: 20 }],
  ] as const)('as %s, if it has %j', (standing, more) => {
    expect(standingOf(message(more), known)).toBe(standing)
  })

  test('only in the channel of an agent, for every author', () => {
    expect(standingOf(message(), { ...known, users: null })).toBe('channel')
    expect(standingOf(message(), { ...known, users: [] })).toBe('user')
  })
})

test('ids are numbers of 64 bits and tell their time', () => {
  for (const wrong of [
    '',
    '0',
    '01153726112345678901',
    '80351110224678',
    '8035111022467891212345',
    '8035111022467891x',
    ' 80351110224678912',
  ])
    expect(snowflake.safeParse(wrong).success).toBe(false)
  // The example from Discord's documentation.
  expect(new Date(timeOf('175928847299117063')).toISOString()).toBe('2016-04-30T11:18:25.796Z')
  expect(timeOf(idAt(1_700_000_000_123))).toBe(1_700_000_000_123)
  expect(['1153725998765432109', '80351110224678912', '90351110224678912'].sort(byAge)).toEqual([
    '80351110224678912',
    '90351110224678912',
    '1153725998765432109',
  ])
})

test('the mention is not a part of the prompt', () => {
  expect(textFor(bot, `<@${bot}> do it`)).toBe('do it')
  expect(textFor(bot, ` <@!${bot}>, do it`)).toBe('do it')
  expect(textFor(bot, `do <@${user}> it <@${bot}>`)).toBe(`do <@${user}> it`)
})

const job = 'j-0123456789abcdefghjk'
test.each([
  ['', null, { kind: 'help' }],
  ['', { job }, { kind: 'empty' }],
  ['Status', null, { kind: 'status' }],
  ['status of the build?', null, { kind: 'prompt', prompt: 'status of the build?' }],
  ['stop', null, { kind: 'stop', job: null }],
  ['stop', { job }, { kind: 'stop', job }],
  [`STOP ${job}`, null, { kind: 'stop', job }],
  ['stop the server', null, { kind: 'prompt', prompt: 'stop the server' }],
  [`answer ${job}-1 two\nlines`, null, { kind: 'answer', question: `${job}-1`, text: 'two\nlines' }],
  ['answer', null, { kind: 'prompt', prompt: 'answer' }],
  ['green', { job, question: `${job}-1` }, { kind: 'answer', question: `${job}-1`, text: 'green' }],
  ['and now?', { job }, { kind: 'message', job, prompt: 'and now?' }],
] as const)('%j in a reply about %j is read', (text, about, command) => {
  expect(commandIn(text, about)).toEqual(command)
})

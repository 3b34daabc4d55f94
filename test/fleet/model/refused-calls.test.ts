import type { ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/adapters/output/agent-events.ts'
import type { Manifest } from '../../../src/fleet/manifest/manifest-schema.ts'
import { answeringModel } from '../../../src/fleet/model/answering-model.ts'
import { openEndpoints } from '../../../src/fleet/model/endpoints.ts'
import type { ToolAnswer } from '../../../src/fleet/model/runner-client.ts'
import { think } from '../../../src/fleet/model/think.ts'
import { toolsOf } from '../../../src/fleet/model/tools.ts'
import { calling } from '../../support/fleet-models.ts'
import type { Json } from '../../support/model-servers/json.ts'
import { rawChat } from '../../support/raw-chat.ts'
import { recordedModels } from '../../support/recorded-models.ts'

const listed = ['bash', 'file_read', 'file_write'].map((name) => ({ name, isHeld: false }))
const remote = [{ server: 'sums', name: 'add', description: '', schema: { type: 'object' } }]

/** Lets a model work with tools that give this answer; returns the events, and the conversation that a later job would continue. */
async function worked(wish: Partial<Manifest>, answer: () => Promise<ToolAnswer> = async () => ({ ok: true, text: 'done' })) {
  using open = await openEndpoints(
    { name: 'a', agent: 'model', kind: 'model', provider: 'openai-compatible', model: 'm', keyless: true, ...wish },
    () => Promise.reject(new Error('no key is asked for')),
  )
  const events: AgentEvent[] = []
  let kept: readonly ModelMessage[] = []
  const runner = { call: answer } as never
  const means = { runner, company: {} as never, delegates: [], called: () => undefined }
  await think({
    model: answeringModel(open.endpoints, { beforeCall: () => undefined, answered: async () => undefined }),
    instructions: 'Be brief.',
    tools: toolsOf([...listed, { name: 'sums/add', isHeld: false }], remote, means),
    messages: [{ role: 'user', content: 'Go on.' }],
    signal: new AbortController().signal,
    event: async (each) => void events.push(each),
    said: () => '',
    added: async (messages) => {
      kept = messages
    },
  })
  const results = events.filter((each) => each.type === 'tool-result')
  return { results: results.map(({ ok, text }) => ({ ok, text })), kept }
}

const providers = ['openai-compatible', 'openai', 'anthropic'] as const
const long = 'x'.repeat(530 * 1024)

describe.each(providers)('a call that is refused, by %s', (provider) => {
  const refused: readonly (readonly [string, string, Json, string])[] = [
    ['a long argument', 'file_write', { path: 'a.txt', content: long }, 'content must be at most 524288 characters'],
    ['a wrong type', 'file_read', { path: 5 }, 'path must be text, not the number 5'],
    ['an argument that is missing', 'file_write', { path: 'a.txt' }, 'content is missing'],
    ['two faults', 'bash', { command: '', timeout: 0 }, 'command must not be empty; timeout must be at least 1'],
    ['a list', 'file_read', ['a.txt'], 'its arguments must be a group of keys, not a list'],
    ['a text', 'file_read', 'a.txt', 'its arguments must be a group of keys, not text'],
    ['nothing, for a tool of an MCP server', 'sums__add', null, 'its arguments must be a group of keys, not empty'],
  ]
  test.each(refused)('for %s gives the reason in plain words, and its arguments are repeated short', async (_, name, input, why) => {
    const { url, seen } = await recordedModels(calling([[name, input]]))
    const { results, kept } = await worked({ provider, baseUrl: url })
    expect(results).toEqual([{ ok: false, text: `${name} was not called: ${why}.` }])
    expect(seen).toHaveLength(2)
    const repeated = JSON.stringify(seen[1]?.body)
    expect(repeated).toContain(why)
    expect(repeated).not.toMatch(/AI_|Zod|too_big|invalid_type/)
    expect(repeated.length - JSON.stringify(seen[0]?.body).length).toBeLessThan(4_000)
    expect(JSON.stringify(kept).length).toBeLessThan(4_000)
  })

  test('for a tool that does not exist names the tools that do, under a name that endpoints accept', async () => {
    const name = `nö … ${'o'.repeat(100_000)}`
    const { url, seen } = await recordedModels(calling([[name, { content: long }]]))
    const { results } = await worked({ provider, baseUrl: url })
    const text = `There is no tool ${name.slice(0, 64)}. Tools: bash, file_read, file_write, sums__add.`
    expect(results).toEqual([{ ok: false, text }])
    const repeated = JSON.stringify(seen[1]?.body)
    expect(repeated).toContain(text)
    expect(repeated).toContain(`"n____${'o'.repeat(59)}"`)
    expect(repeated.length - JSON.stringify(seen[0]?.body).length).toBeLessThan(4_000)
  })
})

test.each([
  ['bash was not called: its arguments are not valid JSON.', '{"command": "ls'],
  ['bash was not called: the keys __proto__ and constructor are not allowed in its arguments.', '{"command": "ls", "__proto__": {}}'],
])('%s', async (text, given) => {
  const chat = await rawChat([[{ tool: 'bash', given: `${given}${' '.repeat(100_000)}` }]])
  const { results } = await worked({ baseUrl: chat.url })
  expect(results).toEqual([{ ok: false, text }])
  expect(chat.messages(1).slice(-2)).toMatchObject([{ tool_calls: [{ function: { name: 'bash', arguments: '{}' } }] }, { content: text }])
})

test('a refused call changes no other call with the same id', async () => {
  const good = { tool: 'file_read', given: '{"path":"a.txt"}' }
  const chat = await rawChat([[{ tool: 'file_read', given: '{"path":5}' }], [good], [{ tool: 'nothing', given: '{}' }]])
  const { results } = await worked({ baseUrl: chat.url })
  expect(results.map(({ ok }) => ok)).toEqual([false, true, false])
  expect(chat.messages(3).filter((each) => each['role'] === 'tool')).toMatchObject([
    { content: 'file_read was not called: path must be text, not the number 5.' },
    { content: 'done' },
    { content: expect.stringMatching(/^There is no tool nothing\./) },
  ])
})

test('a long text of a tool that failed is shortened like its output', async () => {
  const { url, seen } = await recordedModels(calling([['file_read', { path: 'a.txt' }]]))
  const { results } = await worked({ baseUrl: url }, () => Promise.reject(new Error('y'.repeat(100_000))))
  expect(results[0]?.text).toMatch(/^y{16384}\n\[… 67232 bytes left out …\]\ny{16384}$/)
  expect(JSON.stringify(seen[1]?.body)).toMatch(/Error: y{16384}\\n\[… 67232 bytes left out …\]\\ny{16384}"/)
})

test('a later job continues all of a conversation, and the cache point is only at its newest message', async () => {
  const { url, seen } = await recordedModels(calling([1, 2, 3, 4, 5, 6].map((each) => ['file_read', { path: `${each}.txt` }])))
  const { kept } = await worked({ provider: 'anthropic', baseUrl: url })
  expect(kept.map(({ role }) => role)).toEqual([...Array(6).fill(['assistant', 'tool']).flat(), 'assistant'])
  for (const { body } of seen) {
    const marked = (body['messages'] as object[]).map((each) => JSON.stringify(each).includes('cache_control'))
    expect(marked.lastIndexOf(true)).toBe(marked.length - 1)
    expect(marked.filter(Boolean)).toHaveLength(1)
  }
})

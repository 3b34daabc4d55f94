import { afterEach, describe, expect, test } from 'vitest'
import { field, list, text } from './json.ts'
import { commandsThenText, type Script } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

let server: ModelServer | null = null
afterEach(async () => await server?.close())

const schema = {
  type: 'object',
  properties: { command: { type: 'string' }, description: { type: 'string' } },
  required: ['command', 'description'],
}

/** A minimal request for each dialect with a shell tool, and the position of the call and the text in its answer. */
const dialects = {
  anthropic: {
    path: '/v1/messages',
    body: { model: 'm', messages: [{ role: 'user', content: 'hello' }], tools: [{ name: 'Bash', input_schema: schema }] },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      tools: [{ type: 'function', name: 'shell_command', parameters: schema }],
    },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [{ type: 'function', function: { name: 'bash', parameters: schema } }],
    },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      tools: [{ functionDeclarations: [{ name: 'run_shell_command', parameters: schema }] }],
    },
  },
} as const

async function ask(script: Script, name: keyof typeof dialects, more: object = {}): Promise<Response> {
  server = await startModelServer({ script })
  const { path, body } = dialects[name]
  return await fetch(server.url + path, { method: 'POST', headers: { 'x-api-key': 'k' }, body: JSON.stringify({ ...body, ...more }) })
}

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])('%s', (name) => {
  test('hears the conversation and runs the command with the tool that was offered', async () => {
    const answer = await ask(commandsThenText(['ls -l'], 'bye'), name)
    const body = await answer.text()
    expect(body).toContain('ls -l')
    expect(body).toContain('a step of the script')
    const request = server?.requests[0]
    expect(request).toMatchObject({ model: 'm', authenticated: true, step: { run: 'ls -l' } })
    expect(request?.conversation).toMatchObject({
      dialect: name,
      userTexts: ['hello'],
      toolResults: [],
      tools: [expect.stringMatching(/bash|shell/i)],
    })
  })

  test('says its text, and counts tokens', async () => {
    const body = await (await ask(() => ({ say: 'good morning' }), name)).text()
    expect(body).toContain('good morning')
    const input = /"(?:input_tokens|prompt_tokens|promptTokenCount)":(\d+)/.exec(body)?.[1]
    expect(Number(input)).toBeGreaterThan(30)
  })

  test.each([
    ['rate-limit', 429],
    ['auth', name === 'gemini' ? 400 : 401],
    ['overloaded', name === 'anthropic' ? 529 : 503],
  ] as const)('%s is refused with %i', async (fail, status) => {
    expect((await ask(() => ({ fail }), name)).status).toBe(status)
  })

  test('hangs up', async () => {
    await expect(ask(() => ({ fail: 'hang-up' }), name)).rejects.toThrow()
  })
})

describe('streams', () => {
  test('carry the whole text in pieces', async () => {
    const said = 'The quick brown fox jumps over the lazy dog — zwölf Boxkämpfer 🦊 jagen Viktor.'
    const answer = await ask(() => ({ say: said }), 'anthropic', { stream: true })
    const deltas = (await answer.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => text(field(field(JSON.parse(line.slice(6)), 'delta'), 'text')))
    expect(deltas.join('')).toBe(said)
    expect(deltas.filter((each) => each !== '').length).toBeGreaterThan(2)
  })
})

describe('beside the conversation', () => {
  test('JSON of a wished shape is given without the script', async () => {
    const responseSchema = {
      type: 'OBJECT',
      properties: { reasoning: { type: 'STRING' }, model_choice: { type: 'STRING', enum: ['pro', 'flash'] } },
    }
    const generationConfig = { responseMimeType: 'application/json', responseSchema }
    const answer = await (await ask(() => ({ run: 'x' }), 'gemini', { generationConfig })).json()
    const part = list(field(field(list(field(answer, 'candidates'))[0], 'content'), 'parts'))[0]
    expect(JSON.parse(text(field(part, 'text')))).toMatchObject({ model_choice: 'flash' })
  })

  test('token counts, model lists and what is not known', async () => {
    server = await startModelServer({ script: () => ({ say: 'x' }) })
    const post = { method: 'POST', body: '{"a":1}' }
    expect(field(await (await fetch(`${server.url}/v1/messages/count_tokens`, post)).json(), 'input_tokens')).toBeGreaterThan(0)
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
    expect((await fetch(`${server.url}/v1/elsewhere`)).status).toBe(404)
    expect(server.requests.map((request) => request.authenticated)).toEqual([false, false, false])
  })
})

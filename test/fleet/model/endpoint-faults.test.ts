import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answeringModel } from '../../../src/fleet/model/answering-model.ts'
import { BadAnswer, boundedFetch } from '../../../src/fleet/model/bounded-fetch.ts'
import { openEndpoints } from '../../../src/fleet/model/endpoints.ts'
import { recordedModels } from '../../support/recorded-models.ts'

const providers = ['openai-compatible', 'openai', 'anthropic'] as const
type Provider = (typeof providers)[number]

/** Returns why an endpoint did not answer, without its name; null if it did. */
async function faultOf(provider: Provider, baseUrl: string): Promise<string | null> {
  using open = await openEndpoints({ name: 'a', agent: 'model', kind: 'model', provider, model: 'm', baseUrl, keyless: true }, () =>
    Promise.reject(new Error('no key is asked for')),
  )
  const model = answeringModel(open.endpoints, { beforeCall: () => undefined, answered: async () => undefined })
  try {
    await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Is it so?' }] }] })
    return null
  } catch (error) {
    return (error as Error).message.replace(/^m at 127\.0\.0\.1:\d+(?:: | )/, '')
  }
}

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const stream = { 'content-type': 'text/event-stream; charset=utf-8' }
const secret = 'of-the-endpoint'
const answering =
  (headers: Record<string, string>, body: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

describe.each(providers)('an endpoint of %s', (provider) => {
  const form = 'its answer does not have the form of this provider'
  // The library for Anthropic reports an unusable first event only as such.
  const notJson = provider === 'anthropic' ? form : 'an event of its answer is not JSON'
  const faults: readonly (readonly [string, RequestListener, string])[] = [
    ['sends a page', answering({ 'content-type': 'text/html' }, `<p>${secret}`), 'it sent an HTML page instead of an event stream'],
    [
      'does not stream',
      answering({ 'content-type': 'application/json' }, `{"text":"${secret}"}`),
      'it sent JSON instead of an event stream',
    ],
    ['sends plain text', answering({ 'content-type': 'text/plain' }, secret), 'it sent plain text instead of an event stream'],
    ['sends a type of its own', answering({ 'content-type': secret }, secret), 'it sent something other than an event stream'],
    ['sends binary data', answering(stream, '\0\x01\x02'), 'its event stream contains no events'],
    ['sends an empty stream', answering(stream, ''), 'its event stream contains no events'],
    ['sends no body', answering({}, '', 204), 'its answer is empty'],
    ['sends broken JSON', answering(stream, `data: {"id": ${secret}\n\n`), notJson],
    ['sends null', answering(stream, 'data: null\n\n'), form],
    ['sends another form', answering(stream, `data: {"choices":"${secret}"}\n\n`), form],
    ['redirects', answering({ location: `http://127.0.0.1:1/${secret}` }, '', 302), 'it redirects, and redirects are refused'],
    ['is busy', answering({}, secret, 503), 'answered 503'],
  ]
  test.each(faults)('that %s is reported with a sentence of its own', async (_, listener, sentence) => {
    expect(await faultOf(provider, await served(listener))).toBe(sentence)
  })

  test('that reports an error in its stream is reported as such', async () => {
    const { url } = await recordedModels(
      () => ({ say: 'so it is' }),
      (body) => {
        const events = body.split(/(?<=\n\n)/)
        const error = JSON.stringify({
          type: 'error',
          sequence_number: 9,
          error: { type: secret, code: secret, message: secret, param: null },
        })
        return `${events.slice(0, -3).join('')}event: error\ndata: ${error}\n\n`
      },
    )
    expect(await faultOf(provider, url)).toBe('it ended its answer with an error')
  })

  test('that ends in the middle is reported as cut off, and its half answer does not count', async () => {
    const isEnd = /"finish_reason":"stop"|response\.completed|message_delta|\[DONE\]|"usage":\{"prompt|message_stop/
    const { url } = await recordedModels(
      () => ({ say: 'so it is' }),
      (body) =>
        body
          .split(/(?<=\n\n)/)
          .filter((event) => !isEnd.test(event))
          .join(''),
    )
    expect(await faultOf(provider, url)).toBe('its answer was cut off')
  })

  test('that ends before its answer is reported as such', async () => {
    const { url } = await recordedModels(
      () => ({ say: 'so it is' }),
      (body) => body.split(/(?<=\n\n)/)[0] ?? '',
    )
    expect(await faultOf(provider, url)).toBe('its event stream ended without an answer')
  })

  test('that hangs up is reported as such', async () => {
    const url = await served((request, response) => {
      response.writeHead(200, stream).write(': here\n\n')
      setTimeout(() => request.socket.destroy(), 50)
    })
    expect(await faultOf(provider, url)).toBe('it closed the connection during its answer')
  })
})

test('an endpoint that takes too long is reported with the time limit', async () => {
  const url = await served((_, response) => void response.writeHead(200, stream).write(': here\n\n'))
  const answer = await boundedFetch([], 100)(url)
  await expect(answer.text()).rejects.toEqual(new BadAnswer('it did not finish its answer within 0.1 s'))
})

test('an endpoint of openai that ends its answer as failed is reported as such', async () => {
  const { url } = await recordedModels(
    () => ({ say: 'so it is' }),
    (body) => body.replaceAll('response.completed', 'response.failed'),
  )
  expect(await faultOf('openai', url)).toBe('it ended its answer with an error')
})

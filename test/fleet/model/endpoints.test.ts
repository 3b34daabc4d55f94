import { expect, test } from 'vitest'
import type { SecretKeeper } from '../../../src/credentials/secret-keeper.ts'
import type { Manifest } from '../../../src/fleet/manifest/manifest-schema.ts'
import { answeringModel } from '../../../src/fleet/model/answering-model.ts'
import { openEndpoints } from '../../../src/fleet/model/endpoints.ts'
import { think } from '../../../src/fleet/model/think.ts'
import { Secret } from '../../../src/secrets/secret.ts'
import { recordedModels } from '../../support/recorded-models.ts'

const recorded = () => recordedModels(() => ({ say: 'yes' }))

const keeper =
  (hosts: readonly string[] | null): SecretKeeper =>
  async () => ({ secret: Secret.fromText('vault:key', 'sk-the-key-of-this-test'), hosts, place: null })
const noKeys: SecretKeeper = () => Promise.reject(new Error('no key is asked for'))

async function oneAnswer(wish: Partial<Manifest>, keys: SecretKeeper): Promise<void> {
  using open = await openEndpoints({ name: 'a', agent: 'model', kind: 'model', model: 'm', ...wish }, keys)
  const model = answeringModel(open.endpoints, { beforeCall: () => undefined, answered: async () => undefined })
  await think({
    ...{ model, instructions: 'Be brief.', tools: {}, messages: [{ role: 'user', content: 'Is it so?' }] },
    ...{ signal: new AbortController().signal, event: async () => undefined, said: () => 'yes', added: async () => undefined },
  })
}

test('Anthropic is asked to cache the conversation for the next call, and the key is only in its own header', async () => {
  const { seen, url } = await recorded()
  await oneAnswer({ provider: 'anthropic', baseUrl: url, apiKey: 'vault:key' }, keeper(['127.0.0.1']))
  const [{ headers, body } = { headers: {}, body: {} }] = seen
  expect([headers['x-api-key'], headers.authorization]).toEqual(['sk-the-key-of-this-test', undefined])
  expect(body).toMatchObject({
    stream: true,
    system: [{ text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ text: 'Is it so?', cache_control: { type: 'ephemeral' } }] }],
  })
})

test('OpenAI is asked to store nothing, and an endpoint without a key gets no header for one', async () => {
  const { seen, url } = await recorded()
  await oneAnswer({ provider: 'openai', baseUrl: url, apiKey: 'vault:key' }, keeper(null))
  await oneAnswer({ provider: 'openai-compatible', baseUrl: url, keyless: true }, noKeys)
  await oneAnswer({ provider: 'anthropic', baseUrl: url, keyless: true }, noKeys)
  expect(seen.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).toEqual([
    'Bearer sk-the-key-of-this-test',
    undefined,
    undefined,
  ])
  expect(seen[0]?.body).toMatchObject({ stream: true, store: false })
})

test('a key goes to no host that its vault does not bind it to, nor do those of fallbacks', async () => {
  const { seen, url } = await recorded()
  const keyed = { provider: 'openai', baseUrl: url, apiKey: 'vault:key' } as const
  for (const hosts of [['api.openai.com'], ['*.example.com'], []])
    await expect(oneAnswer(keyed, keeper(hosts))).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
      message: expect.stringMatching(/^vault:key may not go to 127\.0\.0\.1: it is bound to /),
    })
  const wish = { provider: 'openai-compatible', baseUrl: url, keyless: true, fallbacks: [{ ...keyed, model: 'm' }] } as const
  await expect(oneAnswer({ ...wish, fallbacks: [...wish.fallbacks] }, keeper(['api.openai.com']))).rejects.toMatchObject({
    code: 'NOT_ALLOWED',
  })
  expect(seen).toEqual([])
})

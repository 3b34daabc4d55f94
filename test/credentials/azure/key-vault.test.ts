import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { type AzureOptions, AzureSecrets } from '../../../src/credentials/azure/key-vault.ts'
import { azureHost, parseAzureRef } from '../../../src/credentials/azure/secret-reference.ts'
import { type AzureLab, bundle, clientSecret, openAzureLab, type Reply, reply } from '../../support/azure-lab.ts'

const version = '0123456789abcdef0123456789abcdef'
const ref = { vault: 'demo-vault', secret: 'api-key' }
const canary = 'canary-value-9f3a'

describe('Azure Key Vault', () => {
  let lab: AzureLab
  beforeEach(async () => {
    lab = await openAzureLab()
  })
  afterEach(() => lab[Symbol.asyncDispose]())

  const secrets = (options: AzureOptions = {}): AzureSecrets =>
    new AzureSecrets({ credential: lab.credential, agent: lab.agent, retryDelayMs: 1, ...options })
  const refusal = async (options: AzureOptions = {}, of: Parameters<AzureSecrets['get']>[0] = ref): Promise<PaddockError> => {
    using azure = secrets(options)
    const error = await azure.get(of).then(
      () => new Error('it was not refused'),
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(PaddockError)
    const shown = `${inspect(error, { depth: 10 })} ${(error as PaddockError).hint}`
    for (const each of [canary, clientSecret, 'canary-access-token']) expect(shown).not.toContain(each)
    expect((error as PaddockError).message).not.toContain('\n')
    expect((error as PaddockError).hint).toBeTruthy()
    return error as PaddockError
  }

  it('signs in after the challenge, asks once for all who wait, and keeps the value for a while', async () => {
    let now = 0
    lab.secrets.set('/secrets/api-key', bundle(canary))
    using azure = secrets({ keepMs: 60_000, now: () => now })
    const all = await Promise.all(Array.from({ length: 20 }, () => azure.get(ref)))
    expect(all.every((each) => each.text() === canary)).toBe(true)
    expect(`${all[0]}`).toBe('[secret azure-kv:demo-vault/api-key]')
    for (const each of all) each.dispose()
    const asked = (): string[] => lab.seen.filter((each) => each.includes('/secrets/'))
    expect(asked().map((each) => each.replace(/api(?:-|%2D)version=[\d-]+/, 'V'))).toEqual([
      'GET demo-vault.vault.azure.net/secrets/api-key/?V',
      'GET demo-vault.vault.azure.net/secrets/api-key/?V signed',
    ])
    now = 59_999
    expect((await azure.get(ref)).text()).toBe(canary)
    expect(asked()).toHaveLength(2)
    lab.secrets.set('/secrets/api-key', bundle('another'))
    now = 60_001
    expect((await azure.get(ref)).text()).toBe('another')
    expect(asked()).toHaveLength(3)
    expect(lab.seen.filter((each) => each.includes('/oauth2/v2.0/token'))).toHaveLength(1)
    expect(new Set(lab.dialled)).toEqual(new Set(['demo-vault.vault.azure.net', 'login.example']))
  })

  it('asks for the version that is named, in the cloud that is chosen; what expires is not kept longer', async () => {
    let now = 0
    lab.secrets.set(`/secrets/api-key/${version}`, bundle('old\nwith lines\n', { exp: Math.floor(Date.now() / 1_000) + 20 }))
    using azure = secrets({ suffix: 'vault.usgovcloudapi.net', now: () => now })
    expect((await azure.get({ ...ref, version })).text()).toBe('old\nwith lines\n')
    now = 21_000
    await azure.get({ ...ref, version })
    expect(lab.seen.filter((each) => each.endsWith(' signed'))).toHaveLength(2)
    expect(lab.seen.some((each) => each.startsWith(`GET demo-vault.vault.usgovcloudapi.net/secrets/api-key/${version}?`))).toBe(true)
  })

  it.each<[string, number, RegExp]>([
    ['BadParameter', 400, /^azure-kv:\/\/demo-vault\/api-key: demo-vault\.vault\.azure\.net rejected the request \(BadParameter\)\.$/],
    ['Unauthorized', 401, /does not accept this sign-in \(Unauthorized\)\.$/],
    ['Forbidden', 403, /may not read this secret, or not from this network \(Forbidden\)\.$/],
    ['SecretNotFound', 404, /there is no such secret in demo-vault\.vault\.azure\.net \(SecretNotFound\)\.$/],
    ['Throttled', 429, /is asked too often just now \(Throttled\)\.$/],
    ['InternalServerError', 500, /has an internal problem \(500\)\.$/],
    ['Elsewhere', 302, /answered with the unexpected status 302/],
  ])('%s (%d) is one sentence and the fix, without what the server wrote', async (code, status, sentence) => {
    const body = { error: { code, message: `${canary} ${'x'.repeat(50_000)}\nline` } }
    lab.secrets.set('/secrets/api-key', reply(status, body, { location: 'https://evil.example/steal' }))
    const error = await refusal()
    expect(error.message).toMatch(sentence)
    expect(error.message.length).toBeLessThan(200)
    expect(lab.dialled).not.toContain('evil.example')
  })

  it.each<[string, Reply]>([
    ['no JSON', reply(200, `<html>${canary}`)],
    ['no value', reply(200, { id: 'x', attributes: {} })],
    ['a value that is not text', reply(200, { value: { a: canary }, id: 'https://demo.vault.azure.net/secrets/x/1', attributes: {} })],
    ['an empty value', bundle('')],
    ['a value beyond bounds', bundle('x'.repeat(70_000))],
    ['no header at all', (_, response) => void response.socket?.end(`garbage ${canary}\r\n\r\n`)],
    [
      'an end in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '900' }).write('{"val')
        response.socket?.destroySoon()
      },
    ],
  ])('garbage: %s', async (_, answer) => {
    lab.secrets.set('/secrets/api-key', answer)
    expect((await refusal()).code).toBe('CREDENTIAL_FAILED')
  })

  it('a vault and a sign-in that hang end at the time limit', async () => {
    lab.secrets.set('/secrets/api-key', () => undefined)
    expect((await refusal({ timeLimitMs: 300 })).message).toMatch(/did not answer in 0\.3 s\.$/)
    lab.token = () => undefined
    expect((await refusal({ timeLimitMs: 300 })).message).toMatch(/did not answer in 0\.3 s\.$/)
  })

  it.each<[string, Reply, RegExp]>([
    [
      'a wrong client secret',
      reply(401, {
        error: 'invalid_client',
        error_description: `AADSTS7000215: Invalid client secret ${canary}`,
        error_codes: [7_000_215],
      }),
      /not accepted \(AADSTS7000215\)\.$/,
    ],
    ['400', reply(400, { error: 'invalid_request', error_description: canary }), /sign-in is not accepted\.$/],
    ['429', reply(429, { error: 'slow_down', error_description: canary }), /sign-in is asked too often just now\.$/],
    ['500', reply(500, { error: 'server_error', error_description: canary }), /sign-in has an internal problem \(500\)\.$/],
    ['503 and no body', reply(503, ''), /sign-in/],
    ['garbage', reply(200, `<html>${canary}`), /sign-in/],
  ])('a sign-in that answers %s', async (_, answer, sentence) => {
    lab.token = answer
    expect((await refusal()).message).toMatch(sentence)
  })

  it('a challenge that names another place gets no token', async () => {
    lab.vault = reply(401, '', { 'www-authenticate': 'Bearer authorization="https://login.example/x", resource="https://evil.example"' })
    await refusal()
    expect(lab.seen.some((each) => each.includes('token') || each.endsWith('signed'))).toBe(false)
  })

  it('an untrusted certificate ends it before anything is sent', async () => {
    await using other = await openAzureLab({ trusted: false })
    const error = await refusal({ agent: other.agent })
    expect(error.message).toMatch(/shows a certificate that is not trusted here\.$/)
    expect(other.seen).toEqual([])
  })

  it('a failure is not kept', async () => {
    using azure = secrets()
    lab.secrets.set('/secrets/api-key', reply(403, { error: { code: 'Forbidden' } }))
    await expect(azure.get(ref)).rejects.toThrow('may not read')
    lab.secrets.set('/secrets/api-key', bundle(canary))
    expect((await azure.get(ref)).text()).toBe(canary)
  })
})

describe('references to it', () => {
  it('are read as they are written', () => {
    expect(parseAzureRef('azure-kv://my-vault/db-password', 'x')).toEqual({ vault: 'my-vault', secret: 'db-password' })
    expect(parseAzureRef(`azure-kv://my-vault/db/${version}`, 'x')).toEqual({ vault: 'my-vault', secret: 'db', version })
    expect(azureHost('My-Vault', 'vault.azure.cn')).toBe('my-vault.vault.azure.cn')
  })

  it.each([
    'azure-kv://',
    'azure-kv://ab/x',
    'azure-kv://my-vault',
    'azure-kv://my-vault/',
    'azure-kv://my-vault/a/b',
    `azure-kv://my-vault/a/${version}/`,
    'azure-kv://evil.example/x',
    'azure-kv://my-vault:443/x',
    'azure-kv://u@my-vault/x',
    'azure-kv://my-vault/a%2fb',
    'azure-kv://my-vault/../x',
    'azure-kv://my-vault/x?y',
    'azure-kv://my-vault/x#y',
    'azure-kv://1vault/x',
    'azure-kv://my-vault-/x',
    'azure-kv://my\u2025vault/x',
    'azure-kv://my-vault/x\n',
  ])('%j is refused', (text) => {
    expect(() => parseAzureRef(text, 'here')).toThrow(/^here: /)
  })

  it('of whatever is taken, the host is one below a suffix of Azure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.stringMatching(/^[a-z0-9./:@%-]{1,30}$/)), (rest) => {
        let read: { vault: string; secret: string }
        try {
          read = parseAzureRef(`azure-kv://${rest}`, 'x')
        } catch (error) {
          return error instanceof PaddockError
        }
        const url = new URL(`https://${azureHost(read.vault, 'vault.azure.net')}/secrets/${read.secret}`)
        return /^[a-z0-9-]+\.vault\.azure\.net$/.test(url.hostname) && url.pathname === `/secrets/${read.secret}` && url.port === ''
      }),
    )
    expect(() => azureHost('my-vault', 'evil.example')).toThrow('not a host of Azure')
  })
})

import { describe, expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import type { SecretKeeper } from '../../src/credentials/secret-keeper.ts'
import { parseSecretWish } from '../../src/run/../credentials/secret-wish.ts'
import { boundSecrets } from '../../src/run/bound-secrets.ts'
import { Secret } from '../../src/secrets/secret.ts'

const keeper =
  (hosts: readonly string[] | null, place: Awaited<ReturnType<SecretKeeper>>['place'] = null): SecretKeeper =>
  async () => ({ secret: Secret.fromText('kept', 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'), hosts, place })
const claude = { adapter: findAdapter('claude'), baseUrl: null }
const nobody = { adapter: null, baseUrl: null }
const bind = (wish: string, hosts: readonly string[] | null, agent: Parameters<typeof boundSecrets>[1] = nobody) =>
  boundSecrets([parseSecretWish(wish, '--secret')], agent, keeper(hosts))
const namesOf = ({ credentials }: Awaited<ReturnType<typeof bind>>) => credentials.flatMap((each) => each.hosts.map(({ host }) => host))

describe('a secret is bound to the hosts that all agree on', () => {
  test('those of its keeper, over TLS, on every path', async () => {
    const made = await bind('TOKEN=vault:gh', ['api.github.com', '*.ghe.example'])
    expect(made.credentials[0]?.hosts).toEqual([
      { host: 'api.github.com', port: 443, tls: true, paths: ['/**'] },
      { host: '*.ghe.example', port: 443, tls: true, paths: ['/**'] },
    ])
    expect(made.env['TOKEN']).toMatch(/^ghp_[A-Za-z0-9]{36}$/)
    expect(made.env['TOKEN']).not.toContain('0123456789')
    expect((await made.credentials[0]?.secret(AbortSignal.timeout(60_000)))?.text()).toBe('ghp_0123456789abcdefghijklmnopqrstuvwxyz')
  })

  test('the user narrows them, and never widens them', async () => {
    expect(namesOf(await bind('TOKEN=vault:gh@api.github.com', ['api.github.com', 'github.com']))).toEqual(['api.github.com'])
    expect(namesOf(await bind('TOKEN=vault:gh@a.ghe.example', ['*.ghe.example']))).toEqual(['a.ghe.example'])
    for (const wider of ['evil.example', '*.github.com', 'ghe.example'])
      await expect(bind(`TOKEN=vault:gh@${wider}`, ['api.github.com', '*.ghe.example'])).rejects.toMatchObject({
        code: 'NOT_ALLOWED',
        message: `--secret: TOKEN may only be sent to api.github.com, *.ghe.example, not to ${wider}.`,
      })
  })

  test('an agent’s own key goes where the agent sends it, if its keeper lets it', async () => {
    const made = await bind('ANTHROPIC_API_KEY=vault:claude', ['api.anthropic.com'], claude)
    expect(made.credentials[0]?.hosts[0]).toMatchObject({ host: 'api.anthropic.com' })
    // As for a key from the environment, there is no other account at these hosts.
    expect(made.credentials[0]?.exclusive).toBe(true)
    expect((await bind('TOKEN=vault:gh', ['api.github.com'], claude)).credentials[0]?.exclusive).toBeUndefined()
    expect(made.credentials[0]?.hosts[0]?.paths).not.toContain('/**')
    await expect(bind('ANTHROPIC_API_KEY=vault:claude', ['api.openai.com'], claude)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    const elsewhere = { ...claude, baseUrl: 'https://gateway.example/claude' }
    await expect(bind('ANTHROPIC_API_KEY=vault:claude', ['api.anthropic.com'], elsewhere)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect(namesOf(await bind('ANTHROPIC_API_KEY=env:KEY', null, elsewhere))).toEqual(['gateway.example'])
  })

  test('nobody says where: it goes nowhere', async () => {
    await expect(bind('TOKEN=env:TOKEN', null)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: '--secret TOKEN: no allowed host is given.',
      hint: 'Name its hosts: TOKEN=…@api.example.com',
    })
    expect(namesOf(await bind('TOKEN=env:TOKEN@api.example.com', null))).toEqual(['api.example.com'])
  })

  test('the place of the vault is the only one', async () => {
    const wish = parseSecretWish('TOKEN=vault:x', '--secret')
    const places = async (place: Parameters<typeof keeper>[1]) =>
      (await boundSecrets([wish], nobody, keeper(['a.example'], place))).credentials[0]?.places
    expect(await places({ in: 'header', name: 'x-token' })).toEqual([{ kind: 'header', name: 'x-token' }])
    expect(await places({ in: 'header', name: 'x', scheme: 'Bot' })).toEqual([{ kind: 'header', name: 'x', scheme: 'Bot' }])
    expect(await places({ in: 'query', name: 'key' })).toEqual([{ kind: 'query', name: 'key' }])
    expect(await places({ in: 'basic', user: 'me' })).toEqual([{ kind: 'basic', part: 'password' }])
    expect((await places(null))?.length).toBeGreaterThan(2)
  })

  test.each(['TOKEN', 'TOKEN=', '1=vault:x', 'TOKEN=ghp_0123456789', 'TOKEN=vault:x@', 'TOKEN=vault:x@bad host', 'TOKEN=vault:../x'])(
    '%j is refused, and not said again where it may be the secret',
    (text) => {
      let said = ''
      try {
        parseSecretWish(text, '--secret')
      } catch (error) {
        said = String(error)
      }
      expect(said).toMatch(/^PaddockError: /)
      expect(said).not.toContain('ghp_')
    },
  )
})

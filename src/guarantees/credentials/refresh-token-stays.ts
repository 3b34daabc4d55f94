import { findAdapter } from '../../adapters/find-adapter.ts'
import { loginPlaceholders } from '../../adapters/placeholders.ts'
import { Secret } from '../../secrets/secret.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { webHost } from '../probe/web-host.ts'

export const refreshTokenStays: Guarantee = {
  id: 'refresh-token-stays',
  chapter: 'credentials',
  claim:
    "The host's refresh token never enters a cell. If a cell tries to renew its login, the gateway answers with another placeholder, and no part of the attempt leaves the machine.",
  mechanism:
    "The gateway answers for the login's token endpoint itself. One refresher in the host process uses the refresh token on behalf of all cells.",
  kind: 'structural',
  why: 'Rotating a single-use token ends the login for everyone else, and only the refresher can rotate it.',
  fails: ['The CLI on the host may renew its login at any time. The refresher then uses the newer one.'],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    using tokens = await webHost(bench, 'platform.claude.com')
    using model = await webHost(bench)
    const refresh = `sk-ant-ort01-${bench.secret()}`
    const access = Secret.fromText('the token of a probe', `sk-ant-oat01-${bench.secret()}`)
    const login = { provider: null, kind: 'subscription' as const, facts: { scopes: ['user:inference'] } }
    const made = loginPlaceholders(findAdapter('claude'), [login], { access: async () => access }, `https://${model.name}`)
    const { result } = await bench.inside(
      async ({ fs, https, env }, given) => {
        const text = fs.readFileSync(`${env['HOME']}/${given.file}`, 'utf8')
        const stored = JSON.parse(text) as { claudeAiOauth: { accessToken: string; refreshToken: string } }
        const ask = (host: string, path: string, headers: Record<string, string>, body: string): Promise<string> =>
          new Promise((resolve) => {
            const request = https.request({ host, path, method: 'POST', headers }, (response) => {
              let said = ''
              response.on('data', (chunk) => {
                said += String(chunk)
              })
              response.on('end', () => resolve(`${response.statusCode} ${said}`))
            })
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            request.end(body)
          })
        const json = { 'content-type': 'application/json' }
        const grant = { grant_type: 'refresh_token', refresh_token: stored.claudeAiOauth.refreshToken, client_id: 'x' }
        const renewed = await ask('platform.claude.com', '/v1/oauth/token', json, JSON.stringify(grant))
        const guessed = await ask('platform.claude.com', '/v1/oauth/token', json, JSON.stringify({ ...grant, refresh_token: 'guess' }))
        const fresh = /"access_token":"([^"]+)"/.exec(renewed)?.[1] ?? ''
        const used = await ask(given.model, '/v1/messages', { authorization: `Bearer ${fresh}` }, '{}')
        return { text, renewed, guessed, used, another: fresh !== '' && fresh !== stored.claudeAiOauth.accessToken }
      },
      { file: made.files[0]?.path ?? '', model: model.name },
      {
        homeFiles: made.files,
        credentials: made.credentials,
        egress: bench.policy([{ host: 'platform.claude.com' }, { host: model.name }]),
      },
    )
    const words = [refresh, access.text()]
    const arrived = model.arrived.map((each) => each.headers.authorization)
    access.dispose()
    if (tokens.arrived.length > 0) return broken(`${tokens.arrived.length} renewals from the cell arrived at the token host`)
    if (words.some((word) => JSON.stringify(result).includes(word))) return broken('a real token was found in the cell')
    if (!result.renewed.startsWith('200') || !result.another || !arrived.includes(`Bearer ${words[1]}`))
      return broken(`the renewal was not answered (${result.renewed.slice(0, 60)}; ${result.used}), so the probe is inconclusive`)
    if (!result.guessed.startsWith('400')) return broken(`a renewal with a guessed token was answered with ${result.guessed.slice(0, 40)}`)
    return held(
      'a renewal from the cell was answered with another placeholder, which works; one with a guessed token was refused; none arrived at the token host',
    )
  },
}

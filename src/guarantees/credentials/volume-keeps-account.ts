import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loginFormats } from '../../adapters/agent-facts.ts'
import { HostLogins } from '../../credentials/stored-logins.ts'
import { defaultVolume } from '../../credentials/volume/volume-files.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { webHost } from '../probe/web-host.ts'

const host = 'platform.claude.com'

export const volumeKeepsAccount: Guarantee = {
  id: 'volume-keeps-account',
  chapter: 'credentials',
  claim: 'A cell that has the login of a volume cannot replace it, so later cells work in the same account.',
  mechanism:
    "Nothing that a cell writes is stored in a volume. When the cell's CLI renews the login, the gateway answers: Paddock itself sends the volume's refresh token to the vendor, and stores the vendor's answer.",
  kind: 'structural',
  why: "New tokens come only from the vendor, in the answer to a request that contains nothing from the cell. They belong to the old token's account.",
  fails: [
    'The cell has the login itself. It can send the login away, or use another account while it runs.',
    '`paddock login` replaces the login of a volume. In its cell, only the CLI of the agent runs.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    const login = (name: string) => ({ accessToken: `access-${name}`, refreshToken: `refresh-${name}`, expiresAt: Date.now() + 1e9 })
    const [own, renewed, other] = [login(bench.secret()), login(bench.secret()), login(bench.secret())]
    const state = await bench.directory()
    const file = path.join(state, 'volumes/claude', defaultVolume, 'home/.claude/.credentials.json')
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify({ claudeAiOauth: own }), { mode: 0o600 })
    using web = await webHost(bench, host)
    const asked: string[] = []
    const events: string[] = []
    const logins = new HostLogins({
      paths: { config: state, state, data: state, cache: state, userHome: state, userName: 'probe' },
      env: {},
      formats: await loginFormats(),
      audit: ({ data }) => events.push(String(data['outcome'])),
      notice: () => {},
      transport: async ({ body }) => {
        asked.push(String((JSON.parse(body.toString('utf8')) as Record<string, unknown>)['refresh_token']))
        const answer = { access_token: renewed.accessToken, refresh_token: renewed.refreshToken, expires_in: 3_600 }
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
      },
    })
    const lent = await logins.lend('claude', defaultVolume)
    const { result } = await bench.inside(
      async ({ fs, https, env }, given) => {
        const renew = (token: string): Promise<string> =>
          new Promise((resolve) => {
            const headers = { 'content-type': 'application/json' }
            const request = https.request({ host: given.host, path: '/v1/oauth/token', method: 'POST', headers }, (response) => {
              let said = ''
              response.on('data', (chunk) => {
                said += String(chunk)
              })
              response.on('end', () => resolve(`${response.statusCode} ${said}`))
            })
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            request.end(JSON.stringify({ grant_type: 'refresh_token', refresh_token: token }))
          })
        const foreign = await renew(given.other.refreshToken)
        const whole = await renew(given.own.refreshToken)
        fs.writeFileSync(`${env['HOME']}/.claude/.credentials.json`, JSON.stringify({ claudeAiOauth: given.other }))
        return { foreign, whole }
      },
      { host, own, other },
      {
        mounts: [{ source: lent.directory, target: path.join(bench.machine.user.home, '.claude'), access: 'rw', reason: 'agent' }],
        credentials: lent.credentials,
        egress: bench.policy([{ host }]),
      },
    )
    await lent.end()
    const after = await readFile(file, 'utf8')
    await logins.close()
    if (after.includes(other.accessToken)) return broken('the login of another account that a cell wrote is in the volume')
    if (web.arrived.length > 0) return broken(`${web.arrived.length} renewals from the cell arrived at the token host`)
    if (!result.foreign.startsWith('400')) return broken(`a renewal of another login was answered with ${result.foreign.slice(0, 40)}`)
    if (!result.whole.startsWith('200') || !after.includes(renewed.accessToken) || asked.join() !== own.refreshToken)
      return broken(`the renewal of the lent login is not in the volume (${result.whole.slice(0, 60)}), so the probe is inconclusive`)
    if (!events.includes('refused')) return broken('a login that was left and refused is not in the log')
    return held('another login that a cell left was refused and logged; the renewal of the lent login by the cell is in the volume')
  },
}

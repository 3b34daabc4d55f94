import path from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { hostProgram, hostSearchPath, refusedProgram } from '../../system/host-program.ts'
import type { HostLogin, LoginPlace, LoginSource } from '../agent-login.ts'
import type { LoginFormat } from '../format.ts'
import { logInAgain } from '../log-in-again.ts'
import { badDocument, readCredentialFile } from '../login-document.ts'
import { runProgram } from '../run-program.ts'
import { tokenOf } from '../token-text.ts'

const stored = z.record(
  z.string(),
  z.looseObject({
    user: z.string().nullish(),
    oauth_token: z.string().nullish(),
    users: z.record(z.string(), z.looseObject({ oauth_token: z.string().nullish() }).nullable()).nullish(),
  }),
)

const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/
const usualPatienceMs = 10_000

/** The format of the login of GitHub's own program, which is not an agent. */
export const ghFormat: LoginFormat = { agent: 'gh', command: 'gh auth login', read }

/** Reads `hosts.yml` of gh 2, which has a token for each user of each host. A token in the keyring is read through gh itself. */
async function read(place: LoginPlace): Promise<readonly HostLogin[]> {
  const file = path.join(directoryOf(place), 'hosts.yml')
  const read = await readCredentialFile(file, ghFormat)
  if (read === null) return []
  const parsed = stored.safeParse(parseYaml(read.text) ?? {})
  if (!parsed.success) throw badDocument(file, 'is cut off, or is not as gh writes it', ghFormat)
  const logins: HostLogin[] = []
  for (const [host, entry] of Object.entries(parsed.data)) {
    if (!hostName.test(host)) throw badDocument(file, 'is not as gh writes it (a name of a host)', ghFormat)
    const users = Object.entries(entry.users ?? {})
    const all = users.length > 0 ? users : [[entry.user ?? '', null] as const]
    for (const [user, own] of all) {
      const active = entry.user == null || entry.user === user
      const inFile = own?.oauth_token ?? (active ? entry.oauth_token : null)
      const about = { host, user, active, file: read.file, warnings: read.warnings }
      const found =
        inFile == null || inFile === '' ? await fromKeyring(about, place) : login(about, inFile, { kind: 'file', path: read.file })
      if (found !== null) logins.push(found)
    }
  }
  return logins
}

interface About {
  readonly host: string
  readonly user: string
  readonly active: boolean
  readonly file: string
  readonly warnings: readonly string[]
}

function login({ host, user, active, file, warnings }: About, token: string, source: LoginSource): HostLogin {
  const access = tokenOf(`gh token of ${host}`, token)
  if (access === null) throw badDocument(file, 'contains a token that no HTTP header can contain', ghFormat)
  const account = user === '' ? null : user
  const common = { agent: 'gh', format: ghFormat, provider: null, kind: 'key', source, account, expiresAt: null, refresh: null } as const
  return { ...common, access, facts: { host, user: account, active }, warnings: source.kind === 'file' ? warnings : [] }
}

async function fromKeyring(about: About, place: LoginPlace): Promise<HostLogin | null> {
  const searchPath = place.env['PATH'] ?? ''
  const program = place.gh ?? hostProgram('gh', searchPath)
  const why = (what: string, hint = logInAgain(ghFormat)): PaddockError =>
    new PaddockError('LOGIN_NEEDED', `gh keeps its token for ${about.host} in the keyring, and ${what}.`, { hint })
  if (program === null) {
    const refusal = refusedProgram('gh', searchPath)
    throw refusal === null ? why('gh itself is not installed to ask for it') : why(refusal.message, refusal.hint)
  }
  const user = about.user === '' ? [] : ['--user', about.user]
  // GH_TOKEN and similar variables are left out, because gh would return them instead.
  const names = ['HOME', 'USER', 'XDG_CONFIG_HOME', 'GH_CONFIG_DIR', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  const env = Object.fromEntries(names.map((name) => [name, place.env[name]]))
  const end = await runProgram(program, ['auth', 'token', '--hostname', about.host, ...user], {
    env: { ...env, HOME: place.home, PATH: hostSearchPath(searchPath) },
    patienceMs: place.patienceMs ?? usualPatienceMs,
  })
  if (end.kind === 'hung') throw why('the keyring did not answer')
  if (end.kind === 'missing') throw why('gh cannot be run')
  const token = end.stdout.toString('utf8').trim()
  end.stdout.fill(0)
  if (end.code !== 0 || token === '') return null
  return login(about, token, { kind: 'keychain', service: `gh:${about.host}`, account: about.user })
}

function directoryOf({ home, env }: LoginPlace): string {
  const own = env['GH_CONFIG_DIR']
  if (own !== undefined && own !== '') return path.resolve(own)
  const config = env['XDG_CONFIG_HOME']
  return path.join(config !== undefined && path.isAbsolute(config) ? config : path.join(home, '.config'), 'gh')
}

/** Returns the parsed YAML, or undefined if the text is not YAML. The parser's errors are dropped, because they quote the text. */
function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'silent' })
  } catch {
    return 'not YAML'
  }
}

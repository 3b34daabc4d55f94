// Records the output of the real CLIs against a local model into fixtures/. Run it after an update of test/real-clis/package.json.
//   unshare -rn sh -c 'ip link set lo up && node test/agents/record.ts [agent [case]]'
// The agent runs outside a cell here, but only the local model is reachable, its home is fresh, and its environment is empty.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter, CredentialSource } from '../../src/adapters/adapter.ts'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { realCliDirectories } from '../real-clis/locate.ts'
import { startHostileEndpoint, type Trouble } from '../support/model-servers/hostile.ts'
import { commandsThenText, type Script } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'

const prose = 'Done. The retry code now handles the rate limit (HTTP 429, "usage limit reached") and asks to "please run /login" on 401.'
const works = commandsThenText(['echo made-by-the-script > RESULT.md', 'cat RESULT.md; exit 3'], prose)

const cases: Readonly<Record<string, ({ script: () => Script } | { trouble: Trouble }) & { credential?: null }>> = {
  'server-error': { trouble: '500' },
  'cut-off': { trouble: 'cut' },
  garbage: { trouble: 'garbage' },
  ok: { script: () => works },
  'login-refused': { script: () => () => ({ fail: 'auth' }) },
  'rate-limit': { script: () => () => ({ fail: 'rate-limit' }) },
  'overloaded-once': {
    script: () => {
      let asked = 0
      return (conversation) => (asked++ === 0 ? { fail: 'overloaded' } : works(conversation))
    },
  },
  'hang-up': { script: () => () => ({ fail: 'hang-up' }) },
  'no-login': {
    script: () => (conversation) => (conversation.authenticated ? works(conversation) : { fail: 'auth' }),
    credential: null,
  },
}

const models: Readonly<Record<string, string>> = {
  claude: 'claude-sonnet-5-5',
  codex: 'gpt-5.5',
  gemini: 'gemini-2.5-flash',
  opencode: 'local/some-model',
}
const longestMs = 20_000

async function record(adapter: AgentAdapter, name: string): Promise<void> {
  const wanted = cases[name]
  if (!wanted) throw new Error(`no case ${name}`)
  const root = mkdtempSync('/var/tmp/record-')
  const home = path.join(root, 'home')
  const cwd = path.join(root, 'project')
  mkdirSync(cwd, { recursive: true })
  const server = 'trouble' in wanted ? await hostile(wanted.trouble) : await startModelServer({ script: wanted.script() })
  try {
    const installation = await adapter.locate(await realCliDirectories())
    if (!installation) throw new Error(`${adapter.name} is not installed in test/real-clis`)
    const first = adapter.credentials(home)[adapter.name === 'opencode' ? 1 : 0]
    const credential: CredentialSource | null = wanted.credential === null ? null : (first ?? null)
    const model = models[adapter.name] ?? null
    const { argv, env, homeFiles } = adapter.headless({ model, args: [], baseUrl: server.url, home, cwd, credential }, installation)
    for (const file of homeFiles) {
      mkdirSync(path.dirname(path.join(home, file.path)), { recursive: true })
      writeFileSync(path.join(home, file.path), file.content, { mode: 0o600 })
    }
    mkdirSync(path.join(home, adapter.stateDirectory), { recursive: true })
    const key = credential?.kind === 'env' ? { [credential.name]: 'placeholder' } : {}
    const PATH = [...installation.pathEntries, '/usr/bin', '/bin'].join(':')
    const ended = await run(argv, { PATH, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'xterm-256color', ...env, ...key }, cwd)
    const tidy = (text: string): string =>
      sanitise(text, [
        [home, '/home/agent'],
        [cwd, '/project'],
        [path.dirname(installation.program), '/opt/agent'],
        [server.url, 'http://model.invalid'],
      ])
    const stem = path.join(import.meta.dirname, 'fixtures', `${adapter.name}-${name}`)
    writeFileSync(`${stem}.jsonl`, tidy(ended.stdout))
    const exit = { code: ended.code, stderr: tidy(ended.stderr).slice(-4_000), requests: server.requests.length }
    writeFileSync(`${stem}.exit.json`, `${JSON.stringify(exit, null, 2)}\n`)
    console.log(`${adapter.name} ${name}: code ${ended.code}, ${ended.stdout.length} bytes, ${exit.requests} requests`)
  } finally {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function hostile(trouble: Trouble): Promise<Pick<ModelServer, 'url' | 'requests' | 'close'>> {
  const endpoint = await startHostileEndpoint(trouble)
  return { url: `http://127.0.0.1:${endpoint.port}`, requests: [], close: async () => await endpoint[Symbol.asyncDispose]() }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(argv: readonly string[], env: Record<string, string>, cwd: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = argv
    const child = spawn(program, args, { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), longestMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    })
    child.stdin.on('error', () => {})
    child.stdin.end('Please write RESULT.md.\n')
  })
}

/** Removes paths of this machine, and shortens the long lists of the first line. */
function sanitise(text: string, names: readonly (readonly [string, string])[]): string {
  let clean = text
  for (const [from, to] of names) clean = clean.replaceAll(from, to)
  clean = clean.replace(/file:\/\/\/[^\s)]*\/node_modules\//g, 'file:///opt/agent/')
  clean = clean.replace(/("(?:tools|slash_commands|terminal_slash_commands|agents|skills|plugins)":)\[[^\]]*\]/g, '$1[]')
  return clean
}

const [onlyAgent, onlyCase] = process.argv.slice(2)
for (const agent of ['claude', 'codex', 'gemini', 'opencode']) {
  if (onlyAgent !== undefined && onlyAgent !== agent) continue
  for (const name of Object.keys(cases)) {
    if (onlyCase === undefined || onlyCase === name) await record(findAdapter(agent), name)
  }
}

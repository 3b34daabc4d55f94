import { broken, type Guarantee, held } from '../guarantee.ts'
import { heldLogin } from '../probe/held-login.ts'
import { webHost } from '../probe/web-host.ts'

export const realCredentialsAbsent: Guarantee = {
  id: 'real-credentials-absent',
  chapter: 'credentials',
  claim:
    'A cell that has a placeholder for a key or a login contains no part of the real one in a file, a variable, a command line, or an answer.',
  mechanism:
    'The cell gets a random value of the same format. The gateway, in the host process, puts the real credential into requests after they leave the cell.',
  kind: 'structural',
  why: 'The credential never enters the cell, so no program there can read it, whatever its privileges.',
  fails: [
    'You give an agent its credential in another way on purpose: `--credentials snapshot`, a variable that no adapter knows, or a mounted file.',
    'A placeholder for a codex login repeats the claims of your token (email address, plan, account id).',
    'A host returns the credential in a form that the gateway does not look for; see credential-echo-masked.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    // The host answers with the headers that it received.
    using web = await webHost(bench, undefined, (request, response) => response.end(JSON.stringify(request.headers)))
    const { real, placeholder, wishes } = heldLogin(bench, web)
    const { result } = await bench.inside(
      async ({ fs, https, env }, given) => {
        const home = env['HOME'] ?? ''
        const seen = [JSON.stringify(env), fs.readFileSync(`${home}/${given.file}`, 'utf8')]
        const ask = (headers: Record<string, string>): Promise<string> =>
          new Promise((resolve) => {
            const request = https.get({ host: given.host, path: '/v1/messages', headers }, (response) => {
              seen.push(JSON.stringify(response.headers))
              response.on('data', (chunk) => seen.push(String(chunk))).on('end', () => resolve(String(response.statusCode)))
            })
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
          })
        const { claudeAiOauth } = JSON.parse(seen[1] ?? '{}') as { claudeAiOauth: { accessToken: string } }
        const statuses = [
          await ask({ 'x-api-key': env['ANTHROPIC_API_KEY'] ?? '' }),
          await ask({ authorization: `Bearer ${claudeAiOauth.accessToken}` }),
        ]
        const walk = (directory: string, depth: number): void => {
          for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
            const file = `${directory}/${entry.name}`
            if (entry.isDirectory() && depth > 0) walk(file, depth - 1)
            else if (entry.isFile() && fs.statSync(file).size < 65_536) seen.push(fs.readFileSync(file, 'latin1'))
          }
        }
        for (const directory of [home, '/tmp', '/run', '/etc/paddock'])
          try {
            walk(directory, 4)
          } catch {
            // The file does not exist, or is not readable.
          }
        for (const pid of fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each)))
          for (const file of ['environ', 'cmdline'])
            try {
              seen.push(fs.readFileSync(`/proc/${pid}/${file}`, 'latin1'))
            } catch {
              // The process belongs to another user, or is gone.
            }
        const text = seen.join('\n')
        return { statuses, size: text.length, words: [...new Set(text.match(/sk-ant-[\w-]+|canary-[0-9a-f]{16,}/g))] }
      },
      { host: web.name, file: placeholder.file },
      { ...wishes, egress: bench.policy([{ host: web.name }]) },
    )
    const leaked = Object.entries(real).find(([, word]) => result.words.some((each) => word.includes(each) || each.includes(word)))
    if (leaked !== undefined) return broken(`the real ${leaked[0]} was found in the cell`)
    const arrived = web.arrived.map((each) => each.headers['x-api-key'] ?? each.headers.authorization)
    if (!arrived.includes(real.key) || !arrived.includes(`Bearer ${real.access}`) || !result.words.includes(placeholder.key))
      return broken(`the requests did not arrive with the real ones (${result.statuses.join(', ')}), so the probe is inconclusive`)
    return held(
      `a key and a login reached their host, and ${result.size} characters of files, variables and command lines in the cell contained only their placeholders`,
    )
  },
}

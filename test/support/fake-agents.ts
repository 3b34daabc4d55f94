import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from './cli.ts'

/**
 * A program that imitates the logins of agents. Its last argument selects what it does:
 *
 * - `code` prints an address, waits for a line, and writes a login with that name;
 * - `callback` waits for a browser at 127.0.0.1:1455 instead of the line;
 * - `torn` writes half of it; `link` (to the argument before it) and `linked-directory` leave links; `silent` writes nothing;
 * - `wait` reports that it is running, and waits for the end of its input;
 * - `show` prints the login file and its own access to it; `rotate` writes another token into it, and waits for the end of its input.
 */
const program = `#!/usr/bin/env node
const fs = require('node:fs'), path = require('node:path'), os = require('node:os')
const agent = path.basename(process.argv[1])
const file = path.join(os.homedir(), agent === 'claude' ? '.claude/.credentials.json' : '.codex/auth.json')
const text = (name) => agent === 'claude'
  ? JSON.stringify({ claudeAiOauth: { accessToken: 'access-' + name, refreshToken: 'refresh-' + name, expiresAt: Date.now() + 1e10, scopes: ['user:inference'] } })
  : JSON.stringify({ auth_mode: 'apikey', OPENAI_API_KEY: 'key-' + name })
const write = (name) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text(name), { mode: 0o600 })
  if (agent === 'claude') fs.writeFileSync(path.join(os.homedir(), '.claude/.claude.json'), JSON.stringify({ oauthAccount: { emailAddress: name + '@mail.example' }, history: ['something private'] }))
  fs.writeFileSync(path.join(os.homedir(), 'left-behind'), 'x')
}
const act = process.argv.at(-1)
const readable = (place) => { try { fs.accessSync(place); return true } catch { return false } }
if (act === 'code') {
  console.log('open https://login.example/authorize and give the code: ' + process.argv.slice(2, -1).join(' '))
  process.stdin.once('data', (line) => { write(String(line).trim()); process.exit(0) })
} else if (act === 'callback') {
  const server = require('node:http').createServer((request, response) => {
    write(new URL(request.url, 'http://localhost').searchParams.get('code'))
    response.end('you can close this page')
    response.on('finish', () => process.exit(0))
  })
  server.listen(1455, '127.0.0.1', () => console.log('open https://login.example/authorize?back=http://localhost:1455'))
} else if (act === 'torn') { write('torn'); fs.writeFileSync(file, text('torn').slice(0, 40)) }
else if (act === 'link') { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.rmSync(file, { force: true }); fs.symlinkSync(process.argv.at(-2), file) }
else if (act === 'linked-directory') { write('x'); fs.renameSync(path.dirname(file), path.join(os.homedir(), 'real')); fs.symlinkSync('real', path.dirname(file)) }
else if (act === 'wait') { write('half-done'); console.log('waiting'); process.stdin.resume() }
else if (act === 'show') {
  let may = 'no file', content = null
  try { content = fs.readFileSync(file, 'utf8'); may = 'read' ; fs.appendFileSync(file, ''); may = 'write' } catch (error) { may += ' ' + error.code }
  const mode = content === null ? null : (fs.statSync(file).mode & 0o777).toString(8)
  console.log(JSON.stringify({ content, may, mode, seen: process.env.LOOK_FOR ? readable(process.env.LOOK_FOR) : null }))
  if (process.argv.includes('stay')) process.stdin.on('end', () => process.exit(0)).resume()
} else if (act === 'rotate') {
  // As Codex and Claude Code do it: a new file in place of the old one.
  fs.writeFileSync(file + '.new', text('rotated'), { mode: 0o600 })
  fs.renameSync(file + '.new', file)
  console.log('rotated')
  process.stdin.on('end', () => process.exit(0)).resume()
}
`

/** Puts the program into the stage's PATH under the names of these agents. */
export function putAgents(stage: Stage, names: readonly ('claude' | 'codex')[]): void {
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const each of names) {
    writeFileSync(path.join(bin, each), program)
    chmodSync(path.join(bin, each), 0o755)
  }
  stage.env['PATH'] = `${bin}:${stage.env['PATH']}`
  stage.own()
}

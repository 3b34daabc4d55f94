import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock } from '../../support/cli.ts'
import { makeShimStage, runByName, startByName } from '../../support/shim-stage.ts'

/** What another program of the user would see of claude. */
const script = `
case $1 in
  words) shift; for each in "$@"; do printf '<%s>' "$each"; done; echo; echo on-stderr >&2; exit 7 ;;
  copy) cat ;;
  where) pwd; ls -d /run/paddock; echo "config $CLAUDE_CONFIG_DIR" ;;
  crash) kill -SEGV $$ ;;
  wait) trap 'echo heard INT' INT; echo ready; while :; do sleep 0.1; done ;;
  sleep) echo ready; exec sleep 1000 ;;
  size) stty size; [ -t 1 ] && read -r line && echo "read $line"; exit 3 ;;
  again) PATH="$2:$PATH" exec claude words inner ;;
esac`

describe.each(everyone)('a shim, as %s', (who) => {
  test('passes arguments, standard streams and the exit code unchanged, and adds nothing', async () => {
    using stage = await makeShimStage(who, script)
    const words = ['', 'a b', "it's", '$HOME', '--', '--json', '--prompt', '--version', '*', 'a\nb']
    expect(await runByName(stage, 'claude', ['words', ...words])).toEqual({
      code: 7,
      signal: null,
      stdout: `${words.map((each) => `<${each}>`).join('')}\n`,
      stderr: 'on-stderr\n',
    })
    const text = 'bytes\0and\nlines'.repeat(5_000)
    expect(await runByName(stage, 'claude', ['copy'], { input: text })).toEqual({ code: 0, signal: null, stdout: text, stderr: '' })
    expect((await runByName(stage, 'claude', ['--version'])).code).toBe(0)
    expect((await runByName(stage, 'claude', ['crash'])).code).toBe(139)
  })

  test('starts the agent in a cell of the project, with its state, and the cell is in the audit log', async () => {
    using stage = await makeShimStage(who, script)
    stage.put('.git/HEAD', 'ref: refs/heads/main\n')
    stage.put('below/a.txt', '')
    stage.own()
    const below = path.join(stage.project, 'below')
    const { stdout } = await runByName(stage, 'claude', ['where'], { cwd: below })
    expect(stdout).toBe(`${below}\n/run/paddock\nconfig ${stage.home}/.claude\n`)
    const { stdout: log } = await paddock(stage, ['audit', 'tail', '-n', '100', '--json'])
    expect(log).toContain('"run claude"')
    const outside = await paddock(stage, ['run', '--quiet', 'claude', 'where'])
    expect([outside.code, outside.stderr]).toEqual([0, ''])
  })

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('ends by %s if this signal ends the agent', async (signal) => {
    using stage = await makeShimStage(who, script)
    const child = startByName(stage, 'claude', ['sleep'])
    await said(child, 'ready')
    child.kill(signal)
    expect(await ended(child)).toEqual([null, signal])
  })

  test('passes every SIGINT to the agent', async () => {
    using stage = await makeShimStage(who, script)
    const child = startByName(stage, 'claude', ['wait'])
    await said(child, 'ready')
    for (const times of [1, 2, 3]) {
      child.kill('SIGINT')
      await said(child, 'heard INT\n'.repeat(times))
    }
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([null, 'SIGTERM'])
  })

  test('gives the agent the terminal', async () => {
    using stage = await makeShimStage(who, script)
    const [program = '', ...rest] = [...becoming(who), '/usr/bin/env', 'claude', 'size']
    const terminal = spawnInTerminal(program, rest, { cols: 91, rows: 31, cwd: stage.project, env: stage.env })
    let shown = ''
    terminal.onData((data) => {
      shown += data
    })
    const exit = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
    await expect.poll(() => shown, { timeout: 30_000 }).toContain('31 91')
    terminal.write('a line\r')
    expect(await exit).toBe(3)
    expect(shown).toContain('read a line')
    expect(shown).not.toContain('paddock:')
  })

  test('works with closed standard streams and without input', async () => {
    using stage = await makeShimStage(who, script)
    const [program = '', ...rest] = [...becoming(who), 'sh', '-c', 'claude copy <&-; claude copy </dev/null; claude words >&-; echo $?']
    const child = spawn(program, rest, { cwd: stage.project, env: stage.env, stdio: 'pipe' })
    expect([await said(child, '\n'), await ended(child)]).toEqual(['7\n', [0, null]])
  })

  test('in a cell starts the program itself, and refuses a loop', async () => {
    using stage = await makeShimStage(who, script)
    const shims = path.dirname(stage.shim)
    const bin = path.dirname(stage.real)
    const shown = ['--ro', bin, '--env', `PATH=${shims}:${bin}:/usr/bin:/bin`]
    // Paddock's own directories cannot be mounted, so this is a copy.
    const copy = path.join(stage.root, 'shims/claude')
    mkdirSync(path.dirname(copy))
    writeFileSync(copy, readFileSync(stage.shim))
    chmodSync(copy, 0o755)
    stage.own()
    const inner = ['--ro', path.dirname(copy), '--', 'sh', '-c', `PATH=${path.dirname(copy)}:$PATH; claude words inner`]
    expect(await paddock(stage, ['run', '--quiet', ...shown, ...inner])).toMatchObject({ code: 7, stdout: '<inner>\n' })

    writeFileSync(stage.real, `#!/bin/sh\nPATH=${path.dirname(copy)}:$PATH exec claude\n`)
    const loop = await paddock(stage, ['run', '--quiet', ...shown, ...inner])
    expect([loop.code, loop.stdout]).toEqual([126, ''])
    expect(loop.stderr).toBe('paddock: CELL_FAILED: The programs named claude in PATH start each other without an end.\n')

    const alone = ['--ro', path.dirname(copy), '--', 'sh', '-c', `PATH=${path.dirname(copy)}:/usr/bin; claude words`]
    const missing = await paddock(stage, ['run', '--quiet', ...alone])
    expect([missing.code, missing.stderr]).toEqual([127, 'paddock: AGENT_NOT_INSTALLED: claude is not installed in this cell.\n'])
  })

  test('says in one sentence why it starts nothing', async () => {
    using stage = await makeShimStage(who, script)
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  env: [TERM]\n')
    stage.own()
    const untrusted = await runByName(stage, 'claude', ['words'])
    expect([untrusted.code, untrusted.stdout]).toEqual([2, ''])
    expect(untrusted.stderr).toMatch(/^paddock: NOT_ALLOWED: .*\.paddock\.yaml is not trusted, so nothing was started\.\n {2}hint: .*\n$/)
    rmSync(path.join(stage.project, '.paddock.yaml'))

    const home = await runByName(stage, 'claude', ['words'], { cwd: stage.home })
    expect([home.code, home.stdout]).toEqual([2, ''])
    expect(home.stderr).toMatch(/^paddock: NOT_ALLOWED: .* it is your home directory\.\n/)

    rmSync(stage.real)
    const missing = await runByName(stage, 'claude', ['words'])
    expect([missing.code, missing.stdout]).toEqual([127, ''])
    expect(missing.stderr).toMatch(/^paddock: AGENT_NOT_INSTALLED: claude is not installed on this machine\.\n/)

    writeFileSync(stage.shim, readFileSync(stage.shim, 'utf8').replaceAll('/paddock.mjs', '/gone.mjs'))
    const gone = await runByName(stage, 'claude', ['words'])
    expect([gone.code, gone.stdout]).toEqual([125, ''])
    expect(gone.stderr).toMatch(/^paddock: CELL_FAILED: .* is gone, so claude is not started\.\n {2}hint: .*shims\/claude\n$/)
  })
})

describe.each(everyone)('paddock shim, as %s', (who) => {
  test('installs, lists and removes shims', async () => {
    using stage = await makeShimStage(who, script)
    const list = async () => JSON.parse((await paddock(stage, ['shim', 'list', '--json'])).stdout).shims
    expect(await list()).toMatchObject([{ agent: 'claude', file: stage.shim, program: stage.real, first: true, problem: null }])
    expect((await paddock(stage, ['shim', 'list'])).stdout).toMatch(/~\/\.claude;.*\n.*loopback.*\n.*outside the project \(run\.ro: /)
    stage.env['PATH'] = stage.env['PATH']?.split(':').toReversed().join(':') ?? ''
    expect(await list()).toMatchObject([{ first: false }])
    const again = await paddock(stage, ['shim', 'install', 'claude', 'claude'])
    expect(again.stderr).toContain(`export PATH="${path.dirname(stage.shim)}:$PATH"`)
    expect((await paddock(stage, ['shim', 'remove', 'claude'])).code).toBe(0)
    expect(existsSync(stage.shim)).toBe(false)
    expect(await paddock(stage, ['shim', 'remove', 'claude'])).toMatchObject({ code: 2, stdout: '' })
    expect(await list()).toEqual([])
  })

  test('refuses other names, agents that are missing, files of others, and directories that a cell could write to', async () => {
    using stage = await makeShimStage(who, script, false)
    const refused = async (...words: string[]) => {
      const { code, stderr } = await paddock(stage, ['shim', 'install', ...words])
      return [code, stderr]
    }
    expect(await refused('cladue')).toEqual([
      2,
      expect.stringMatching(/BAD_INPUT: There is no agent "cladue"\.\n {2}hint: Did you mean claude\?/),
    ])
    expect(await refused('command')).toEqual([2, expect.stringContaining('There is no agent "command"')])
    expect(await refused('claude', 'codex')).toEqual([127, expect.stringContaining('AGENT_NOT_INSTALLED: codex is not installed')])
    expect(existsSync(stage.shim)).toBe(false)

    expect(await refused('claude', '--directory', path.dirname(stage.real))).toEqual([
      1,
      expect.stringContaining('exists and is not a shim'),
    ])
    expect(readFileSync(stage.real, 'utf8')).toContain('words)')

    stage.put('.git/HEAD', 'ref: refs/heads/main\n')
    for (const each of ['objects', 'refs']) mkdirSync(path.join(stage.project, '.git', each))
    stage.own()
    expect(await refused('claude', '--directory', 'tools')).toEqual([
      2,
      expect.stringMatching(/NOT_ALLOWED: .*tools is not safe for shims: it is in the git/),
    ])
    expect(await refused('claude', '--directory', `${stage.root}/a:b`)).toEqual([2, expect.stringContaining('must not contain a colon')])

    const elsewhere = path.join(stage.root, "it's here")
    mkdirSync(elsewhere)
    stage.own()
    expect(await refused('claude', '--directory', elsewhere)).toEqual([0, expect.stringContaining('export PATH=')])
    stage.env['PATH'] = `${elsewhere}:${stage.env['PATH']}`
    expect((await runByName(stage, 'claude', ['words', 'x'])).stdout).toBe('<x>\n')
    expect((await paddock(stage, ['shim', 'remove', 'claude'])).stdout).toBe(`removed ${realpathSync(elsewhere)}/claude\n`)
  })

  test('starts no Paddock that an agent could replace', async () => {
    using stage = await makeShimStage(who, script)
    const started = (text: string) => text.split('\n').find((line) => line.startsWith('exec ') && line.includes('--as-is'))
    const before = started(readFileSync(stage.shim, 'utf8'))
    const launcher = /'([^']*paddock\.mjs)'/.exec(before ?? '')?.[1] ?? ''
    const bin = path.join(stage.project, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(launcher, path.join(bin, 'paddock'))
    execFileSync('mkfifo', [path.join(bin, 'claude')])
    stage.own()
    const PATH = `${bin}:${stage.env['PATH']}`
    const again = await paddock(stage, ['shim', 'install', 'claude'], { env: { PATH } })
    expect(again.code, again.stderr).toBe(0)
    expect(started(readFileSync(stage.shim, 'utf8'))).toBe(before)
    const listed = await paddock(stage, ['shim', 'list'], { env: { PATH } })
    expect(listed.stdout).toContain(`claude: ${stage.shim} starts ${stage.real}`)
  })

  test('--as-is refuses options that would change the command line', async () => {
    using stage = makeStage(who)
    for (const each of [['--prompt', 'x'], ['--model', 'x'], ['--raw'], ['--continue', 'x']])
      expect(await paddock(stage, ['run', '--as-is', ...each, 'claude'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${each[0]} and --as-is`),
      })
    expect(await paddock(stage, ['run', '--as-is', '--', 'true'])).toMatchObject({ code: 2 })
  })
})

test('a shim of an installed Paddock starts its name in PATH, which an upgrade keeps', async () => {
  using stage = await makeShimStage('root', script, false)
  const checkout = fileURLToPath(new URL('../../..', import.meta.url))
  const [library, bin] = [path.join(stage.root, 'lib'), path.join(stage.root, 'installed')]
  // The layout of the archives: a directory for each version, and a link to its command.
  const putVersion = (version: string): void => {
    const own = path.join(library, version)
    for (const each of ['bin', 'dist', 'package.json']) cpSync(path.join(checkout, each), path.join(own, each), { recursive: true })
    cpSync(path.join(checkout, 'packaging/paddock.sh'), path.join(own, 'bin/paddock'))
    chmodSync(path.join(own, 'bin/paddock'), 0o755)
    symlinkSync(path.join(checkout, 'node_modules'), path.join(own, 'node_modules'))
    mkdirSync(path.join(own, 'node/bin'), { recursive: true })
    symlinkSync(process.execPath, path.join(own, 'node/bin/node'))
    mkdirSync(bin, { recursive: true })
    rmSync(path.join(bin, 'paddock'), { force: true })
    symlinkSync(path.join(own, 'bin/paddock'), path.join(bin, 'paddock'))
  }
  putVersion('1')
  stage.env['PATH'] = `${bin}:${stage.env['PATH']}`
  expect((await runByName(stage, 'paddock', ['shim', 'install', 'claude'])).code).toBe(0)
  expect(readFileSync(stage.shim, 'utf8')).toContain(`\nexec '${bin}/paddock' run --as-is --quiet claude "$@"\n`)
  putVersion('2')
  rmSync(path.join(library, '1'), { recursive: true })
  expect((await runByName(stage, 'claude', ['words', 'x'])).stdout).toBe('<x>\n')
})

/** Waits until a process has printed a text; returns all that it has printed. */
async function said(child: ReturnType<typeof spawn>, text: string): Promise<string> {
  const seen = (heard.get(child) ?? listen(child)).text
  await expect.poll(() => seen.join(''), { timeout: 30_000 }).toContain(text)
  return seen.join('')
}

const heard = new WeakMap<object, { readonly text: string[] }>()

function listen(child: ReturnType<typeof spawn>): { readonly text: string[] } {
  const all = { text: [] as string[] }
  heard.set(child, all)
  child.stdout?.on('data', (chunk) => all.text.push(String(chunk)))
  return all
}

function ended(child: ReturnType<typeof spawn>): Promise<readonly [number | null, NodeJS.Signals | null]> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve([child.exitCode, child.signalCode])
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))
}

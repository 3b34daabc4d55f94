import { execFile, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type CellOptions, openCell, PaddockError, runAgent } from '../../../src/index.ts'
import { makeStage, type Stage } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../../..', import.meta.url))

/** A sleep duration that no other test uses. */
const mark = `${7_000 + (process.pid % 1_000) / 1_000}`

/** Returns the text of a file; empty if it does not exist, as that of a process that has ended. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the options for a cell in a stage. */
function at(stage: Stage, more: CellOptions = {}): CellOptions {
  return { cwd: stage.project, env: stage.env, egress: 'off', ...more }
}

/** Puts a program named claude into PATH, which reads a prompt and answers as Claude Code does. */
function putClaude(stage: Stage, script: string): void {
  const file = path.join(stage.root, 'bin/claude')
  mkdirSync(path.dirname(file))
  writeFileSync(file, `#!/bin/sh\nprompt=$(cat)\n${script}\n`)
  chmodSync(file, 0o755)
  stage.env['PATH'] = `${path.dirname(file)}:${stage.env['PATH']}`
}

const says = (text: string) => `echo '{"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"${text}"}]}}'`
const begins = `echo '{"type":"system","subtype":"init","session_id":"01234567-89ab-4cde-8f01-23456789abcd","model":"m"}'`
const ends = `echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"01234567-89ab-4cde-8f01-23456789abcd","total_cost_usd":0.5}'`

describe('openCell', () => {
  test('gives its variables to the cell, and Paddock obeys none of them', async () => {
    using stage = makeStage('root')
    const words: string[] = []
    const variables = {
      HTTPS_PROXY: 'http://me:s3cret@127.0.0.1:9',
      NODE_OPTIONS: '--require /nothing',
      CLAUDE_CONFIG_DIR: '/nothing',
      PADDOCK_HOME: '/nothing',
      PATH: '/usr/bin:/bin',
      EMPTY: '',
    }
    const options = { variables, egress: 'allowlist' as const, allow: ['a.test'], onNotice: (line: string) => void words.push(line) }
    await using cell = await openCell(at(stage, options))
    expect(words.join()).toContain('egress allowlist (a.test:443)')
    expect(words.join()).not.toContain('127.0.0.1:9')
    const printed = await cell.run(['sh', '-c', `for each in ${Object.keys(variables).join(' ')}; do eval "echo \\$$each"; done; env`])
    expect(printed.stdout.startsWith(`${Object.values(variables).join('\n')}\n`), printed.stdout).toBe(true)
    expect(printed.stdout).not.toContain('PADDOCK_VARIABLE')
    const seen = readdirSync('/proc').flatMap((each) => (/^\d+$/.test(each) ? [readIfThere(`/proc/${each}/cmdline`)] : []))
    expect(seen.filter((each) => each.includes('me:s3cret'))).toEqual([])
    for (const name of ['A=B', '', '--rw', 'A B'])
      await expect(openCell(at(stage, { variables: { [name]: 'x' } }))).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  test('runs commands in one cell, which share files and processes, with their own streams and exit codes', async () => {
    using stage = makeStage('root')
    await using cell = await openCell(at(stage, { variables: { GREETING: 'hello', PATH: '/usr/bin:/bin' } }))
    const seen: string[] = []
    const first = await cell.run(['sh', '-c', 'echo "$GREETING $PATH"; echo oh >&2; touch /tmp/kept; pwd; exit 3'], {
      onOutput: (stream, bytes) => seen.push(`${stream} ${Buffer.from(bytes).toString()}`),
    })
    expect(first).toEqual({ exitCode: 3, signal: null, stdout: `hello /usr/bin:/bin\n${stage.project}\n`, stderr: 'oh\n' })
    expect(seen.join('')).toContain('stderr oh')
    const text = 'ü\0\n'.repeat(200_000)
    const [copy, kept, killed, background] = await Promise.all([
      cell.run(['cat'], { input: text }),
      cell.run(['sh', '-c', 'ls kept; echo "$WORD"'], { cwd: '/tmp', variables: { WORD: 'a b=c' } }),
      cell.run(['sh', '-c', 'kill -9 $$']),
      cell.run(['sh', '-c', 'sleep 1000 & echo $! > /tmp/pid']),
    ])
    expect(copy.stdout === text).toBe(true)
    expect(kept.stdout).toBe('kept\na b=c\n')
    expect(killed).toMatchObject({ exitCode: null, signal: 9 })
    expect(background).toMatchObject({ exitCode: 0, stdout: '' })
    expect((await cell.run(['sh', '-c', 'kill -0 $(cat /tmp/pid)'])).exitCode).toBe(0)
    expect((await cell.run(['sh', '-c', 'echo x > made; ls -d /run/paddock'])).stdout).toBe('/run/paddock\n')

    const report = await cell.close()
    expect(report).toMatchObject({ ending: { kind: 'exited', code: 0 }, changes: { created: ['made'] } })
    expect(await cell.close()).toEqual(report)
    await expect(cell.run(['true'])).rejects.toMatchObject({ code: 'CELL_FAILED' })
  })

  test('ends one command by its signal, and all with the cell', async () => {
    using stage = makeStage('root')
    const stop = new AbortController()
    await using cell = await openCell(at(stage))
    const going = cell.run(['sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'], {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    })
    await expect(going).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(cell.run(['true'], { signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
    const left = cell.run(['sleep', '1000'])
    left.catch(() => undefined)
    await cell.close()
    await expect(left).rejects.toMatchObject({ code: 'CELL_FAILED' })
  })

  test('refuses what paddock run refuses, and commands that cannot run', async () => {
    using stage = makeStage('root')
    await expect(openCell(at(stage, { allow: ['not a host'] }))).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(openCell(at(stage, { cwd: stage.home }))).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    await expect(openCell(at(stage, { signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'CANCELLED' })
    stage.put('.paddock.yaml', 'schemaVersion: 1\n')
    await expect(openCell(at(stage))).rejects.toBeInstanceOf(PaddockError)
    await using cell = await openCell(at(stage, { options: ['--no-project-file'] }))
    await expect(cell.run(['no-such-program'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('No such file'),
    })
    await expect(cell.run(['true'], { cwd: '/gone' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const each of [[], [''], ['a\0b']]) await expect(cell.run(each)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  test('ends with the program that opened it', async () => {
    using stage = makeStage('root')
    const program = `
      import { openCell } from ${JSON.stringify(path.join(checkout, 'dist/index.js'))}
      const cell = await openCell({ egress: 'off' })
      await cell.run(['sh', '-c', 'sleep ${mark} &'])
      console.log('it runs')
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: stage.project, env: stage.env })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    // The shell ends as soon as it has forked.
    await until(() => processesRunning('sleep', mark).length === 1)
    child.kill('SIGKILL')
    await until(() => processesRunning('sleep', mark).length === 0)
  })

  test('ends the cell if a program in it writes what its server does not', async () => {
    using stage = makeStage('root')
    await using cell = await openCell(at(stage))
    const script =
      'p=$(ps -o ppid= -p $$); echo "exit 99 0 0" > /proc/$((p))/fd/1; head -c 400000 /dev/zero > /proc/$((p))/fd/1; sleep 1000'
    await expect(cell.run(['sh', '-c', script])).rejects.toMatchObject({ code: 'CELL_FAILED' })
  })
})

describe('runAgent', () => {
  test('gives the events of the agent, and its result with the report of the cell', async () => {
    using stage = makeStage('root')
    putClaude(stage, `${begins}; ${says('hello')}; echo "$prompt" > prompt.txt; ${ends}`)
    await using agent = await runAgent({ ...at(stage), agent: 'claude', prompt: 'Do it.' })
    const events: string[] = []
    for await (const event of agent) events.push(event.type)
    const { outcome, text, conversation, costUsd, report } = await agent.result
    expect(events).toEqual(expect.arrayContaining(['text', 'result', 'cost']))
    expect([outcome.kind, outcome.message, text, conversation, costUsd]).toEqual([
      'ran',
      null,
      'done',
      '01234567-89ab-4cde-8f01-23456789abcd',
      0.5,
    ])
    expect([report.changes?.created, stage.read('prompt.txt')]).toEqual([['prompt.txt'], 'Do it.\n'])
  })

  test('has a result if nobody reads the events, also for an agent that fails', async () => {
    using stage = makeStage('root')
    putClaude(stage, `${says('oh')}; exit 4`)
    const { result } = await runAgent({ ...at(stage), agent: 'claude', prompt: 'Do it.' })
    expect((await result).outcome).toMatchObject({ exitCode: 4 })
  })

  test('shows control characters in the error output of an agent as visible escapes', async () => {
    using stage = makeStage('root')
    putClaude(stage, `printf '\\033]0;title\\007cleared\\033[2J\\n' >&2; ${ends}`)
    const lines: string[] = []
    const { result } = await runAgent({ ...at(stage), agent: 'claude', prompt: 'Do it.', onNotice: (line) => void lines.push(line) })
    await result
    expect(lines).toContain('\\u{1b}]0;title\\u{7}cleared\\u{1b}[2J')
  })

  test('ends the cell when the loop is left, and when its signal is aborted', async () => {
    using stage = makeStage('root')
    putClaude(stage, `${says('hello')}; exec sleep 1000`)
    const left = await runAgent({ ...at(stage), agent: 'claude', prompt: 'Do it.' })
    for await (const event of left) if (event.type === 'text') break
    await expect(left.result).rejects.toMatchObject({ code: 'CANCELLED' })

    const stop = new AbortController()
    const stopped = await runAgent({ ...at(stage), agent: 'claude', prompt: 'Do it.', signal: stop.signal })
    const read = (async () => {
      for await (const _event of stopped) stop.abort()
    })()
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(stopped.result).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  test('refuses what paddock run refuses', async () => {
    using stage = makeStage('root')
    await expect(runAgent({ ...at(stage), agent: 'cladue', prompt: 'x' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(runAgent({ ...at(stage), agent: 'command', prompt: 'x' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const missing = await runAgent({ ...at(stage), agent: 'grok', prompt: 'x' })
    await expect(missing.result).rejects.toMatchObject({ code: 'AGENT_NOT_INSTALLED' })
  })
})

test('the programs of examples/programs run as they are', async () => {
  using stage = makeStage('root')
  putClaude(stage, `${says('hello')}; ${ends}`)
  cpSync(path.join(checkout, 'examples/programs'), path.join(stage.root, 'client'), { recursive: true })
  mkdirSync(path.join(stage.root, 'client/node_modules'))
  symlinkSync(checkout, path.join(stage.root, 'client/node_modules/paddock'))
  writeFileSync(path.join(stage.root, 'client/package.json'), '{"type":"module"}')
  stage.put('a.txt', '')
  const client = (...words: string[]) => run(process.execPath, words, { cwd: path.join(stage.root, 'client'), env: stage.env })
  expect((await client('run-agent.ts', 'claude', 'Do it.', stage.project)).stdout).toMatch(/^hello\nIt succeeded\./)
  expect((await client('open-cell.ts', stage.project)).stdout).toMatch(/^a\.txt\n\n0 .*\nThe cell ran for \d+ ms and created 0 files\.\n$/)
})

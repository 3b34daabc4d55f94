import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { becoming, everyone, makeStage, mountableNode, paddock, type Ran, type Stage } from '../support/cli.ts'
import { commandsThenText, type Script } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

/** Options with which git commits. */
const own = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']

/** The same with the SDK of claude, which starts a binary of its own by default. */
const agentSdk = `
import { query } from '@anthropic-ai/claude-agent-sdk'
const permissions = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }
const options = { pathToClaudeCodeExecutable: process.argv[2], model: 'claude-sonnet-4-5', ...permissions }
for await (const each of query({ prompt: 'Please write RESULT.md.', options }))
  if (each.type === 'result') console.log(each.subtype, each.result)
`

const keys = Object.fromEntries(realAgents.map(({ key }) => [key, 'worthless']))
const shimmed = realAgents.map(({ name }) => name)
const opencodeModel = 'local/some-model'

/** How a program gives a prompt to an agent: as an argument, or as standard input. `wrong`: without a prompt, which is an error. */
const promptings: Readonly<
  Record<
    string,
    { readonly argument: (text: string) => readonly string[]; readonly input: readonly string[]; readonly wrong: readonly string[] }
  >
> = {
  gemini: {
    argument: (text) => ['--skip-trust', '--yolo', '-m', 'gemini-2.5-flash', '-p', text],
    input: ['--skip-trust', '--yolo', '-m', 'gemini-2.5-flash'],
    wrong: ['--no-such-option'],
  },
  opencode: { argument: (text) => ['run', '-m', opencodeModel, text], input: ['run', '-m', opencodeModel], wrong: ['run'] },
}

/** Runs one prompt, as a program that uses the package would. */
const sandcastle = `
import { claudeCode, run } from '@ai-hero/sandcastle'
import { noSandbox } from '@ai-hero/sandcastle/sandboxes/no-sandbox'
const { commits, branch, stdout, completionSignal } = await run({
  agent: claudeCode('claude-sonnet-4-5', { captureSessions: false }),
  sandbox: noSandbox(),
  prompt: 'Please write RESULT.md.',
  logging: { type: 'stdout' },
  completionSignal: 'All is done.',
  ...JSON.parse(process.argv[2]),
})
console.log('RESULT ' + JSON.stringify({ commits: commits.length, branch, stdout, completionSignal }))
`

describe.each(everyone)('programs that start claude by its name, as %s', (who) => {
  let stage: Stage
  let server: ModelServer | null = null
  beforeEach(async () => {
    stage = makeStage(who)
    stage.put('a.txt', 'one\n')
    stage.put('.gitignore', '.sandcastle\n.ralphy\n')
    for (const each of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      [...own, 'commit', '-q', '-m', 'first'],
    ])
      spawnSync('git', ['-c', 'safe.directory=*', ...each], { cwd: stage.project })
    writeFileSync(path.join(stage.home, '.gitconfig'), '[user]\n  name = a\n  email = a@b.example\n')
    stage.own()
  })
  afterEach(async () => {
    await server?.close()
    stage[Symbol.dispose]()
  })

  /** Starts the model, and installs the shim with settings that lead to it. */
  async function install(script: Script): Promise<void> {
    server = await startModelServer({ script })
    const config = path.join(stage.root, 'paddock/config')
    mkdirSync(config, { recursive: true })
    const settings = {
      schemaVersion: 1,
      run: { egress: { allow: [pin(server.port)] }, env: Object.keys(keys) },
      agents: Object.fromEntries(
        shimmed.map((each) => [
          each,
          { baseUrl: `http://${modelHost}:${server?.port}`, ...(each === 'opencode' ? { model: opencodeModel } : {}) },
        ]),
      ),
    }
    writeFileSync(path.join(config, 'config.yaml'), JSON.stringify(settings))
    stage.own()
    Object.assign(stage.env, withRealClis(stage.env, who), { ...keys, CI: '1' })
    const { code, stderr } = await paddock(stage, ['shim', 'install', ...shimmed])
    expect(code, stderr).toBe(0)
    stage.env['PATH'] = `${path.join(stage.root, 'paddock/data/shims')}:${stage.env['PATH']}`
  }

  /** Returns the names of the cells in the audit log, in order. */
  async function cells(): Promise<readonly string[]> {
    const { stdout } = await paddock(stage, ['audit', 'tail', '-n', '1000', '--json'])
    const lines = stdout
      .trim()
      .split('\n')
      .filter((each) => each !== '')
    return lines.map((each) => JSON.parse(each)).flatMap(({ kind, data }) => (kind === 'cell.launch' ? [data.name] : []))
  }

  const write = [
    'echo made-in-the-cell > RESULT.md; ls -d /run/paddock >> RESULT.md',
    `git add RESULT.md && git ${own.join(' ')} commit -qm second`,
  ]

  test.each([
    ['in the project', {}, 'main'],
    ['in a work tree of its own', { branchStrategy: { type: 'branch', branch: 'agent/work' } }, 'agent/work'],
  ])('sandcastle without a sandbox has its work done in a cell, %s', async (_, options, branch) => {
    await install(commandsThenText(write, 'It is written. All is done.'))
    const modules = path.dirname(inject('realClis')[who])
    // Packages are found from the directory of the program.
    const program = path.join(stage.root, 'client/program.mjs')
    mkdirSync(path.dirname(program))
    writeFileSync(program, sandcastle)
    spawnSync('ln', ['-s', modules, path.join(stage.root, 'client/node_modules')])
    stage.own()
    const ran = await foreign(stage, [mountableNode(), program, JSON.stringify(options)])

    expect([ran.code, ran.signal], `${ran.stdout}${ran.stderr}`).toEqual([0, null])
    const result = JSON.parse(/^RESULT (.*)$/m.exec(ran.stdout)?.[1] ?? '')
    expect(result).toMatchObject({ commits: 1, branch, completionSignal: 'All is done.' })
    const shown = spawnSync('git', ['-c', 'safe.directory=*', 'show', `${branch}:RESULT.md`], { cwd: stage.project, encoding: 'utf8' })
    expect(shown.stdout).toBe('made-in-the-cell\n/run/paddock\n')
    expect(await cells()).toEqual(['run claude'])
  })

  test('ralphy has its work done in cells, each of which is in the audit log', async () => {
    await install(commandsThenText(write.slice(0, 1), 'It is written.'))
    const ran = await foreign(stage, ['ralphy', '--fast', '--no-commit', '--max-retries', '1', 'Please write RESULT.md.'])

    expect([ran.code, ran.signal], `${ran.stdout}${ran.stderr}`).toEqual([0, null])
    expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('made-in-the-cell\n/run/paddock\n')
    const started = await cells()
    expect([started.length > 0, new Set(started)]).toEqual([true, new Set(['run claude'])])
  })

  test('codex reaches the configured endpoint with only the options of its caller', async () => {
    await install(commandsThenText(write.slice(0, 1), 'It is written.'))
    const options = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', 'gpt-5.2-codex', '-']
    const ran = await foreign(stage, ['codex', 'exec', ...options], 'Please write RESULT.md.')
    expect([ran.code, ran.stdout], ran.stderr).toEqual([0, 'It is written.\n'])
    expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('made-in-the-cell\n/run/paddock\n')
    expect(await cells()).toEqual(['run codex'])
  })

  describe.each(Object.entries(promptings))('%s', (name, prompting) => {
    test('works on a prompt in its arguments, or in its standard input', async () => {
      await install(commandsThenText(write.slice(0, 1), 'It is written.'))
      for (const [words, input] of [
        [prompting.argument('Please write "RESULT.md".'), ''],
        [prompting.input, 'Please write "RESULT.md".'],
      ] as const) {
        const ran = await foreign(stage, [name, ...words], input)
        expect([ran.code, ran.signal], ran.stdout + ran.stderr).toEqual([0, null])
        expect(ran.stdout).toContain('It is written.')
        expect(ran.stderr).not.toContain('paddock:')
        expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('made-in-the-cell\n/run/paddock\n')
        rmSync(path.join(stage.project, 'RESULT.md'))
      }
      expect(await cells()).toEqual([`run ${name}`, `run ${name}`])
    })

    test('exits as outside, and ends by a signal', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      let asked = 0
      await install(async () => {
        asked += 1
        await released
        return { say: 'Late.' }
      })
      const outside = { ...stage.env, PATH: `${inject('realClis')[who]}:/usr/bin:/bin:${path.dirname(process.execPath)}` }
      for (const words of [['--version'], prompting.wrong]) {
        const [own, ran] = [await foreign(stage, [name, ...words], '', outside), await foreign(stage, [name, ...words])]
        expect([ran.code, ran.stdout], ran.stderr).toEqual([own.code, own.stdout])
      }
      const child = spawn('/usr/bin/env', [...becoming(who), name, ...prompting.argument('Wait.')], {
        cwd: stage.project,
        env: stage.env,
        stdio: 'pipe',
      })
      // opencode reads its standard input to the end first.
      child.stdin.end()
      await expect.poll(() => asked, { timeout: 120_000 }).toBeGreaterThan(0)
      child.kill('SIGTERM')
      expect(await new Promise((resolve) => child.once('close', (...ended) => resolve(ended)))).toEqual([null, 'SIGTERM'])
      release()
    })
  })

  test('the SDK of claude starts the shim as its executable', async () => {
    await install(commandsThenText(write.slice(0, 1), 'It is written.'))
    const program = path.join(stage.root, 'client/program.mjs')
    cpSync(path.join(import.meta.dirname, 'sdk/node_modules'), path.join(stage.root, 'client/node_modules'), { recursive: true })
    writeFileSync(program, agentSdk)
    stage.own()
    const ran = await foreign(stage, [mountableNode(), program, path.join(stage.root, 'paddock/data/shims/claude')])
    expect([ran.code, ran.stdout], ran.stderr).toEqual([0, 'success It is written.\n'])
    expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('made-in-the-cell\n/run/paddock\n')
    expect(await cells()).toEqual(['run claude'])
  })

  test('commands of claude that need no model work as outside', async () => {
    await install(() => ({ say: 'Nothing.' }))
    const version = await foreign(stage, ['claude', '--version'])
    expect([version.code, version.stdout, version.stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+ \(Claude Code\)\n$/), ''])
    const servers = await foreign(stage, ['claude', 'mcp', 'list'])
    expect([servers.code, servers.stdout]).toEqual([0, expect.stringContaining('No MCP servers')])
    const text = await foreign(stage, ['claude', '-p', '--model', 'claude-sonnet-4-5'], 'Say nothing.')
    expect([text.code, text.stdout], text.stderr).toEqual([0, 'Nothing.\n'])
    expect(await cells()).toEqual(['run claude', 'run claude', 'run claude'])
    expect(existsSync(path.join(stage.home, '.claude'))).toBe(false)
  })
})

/** Runs a program of others as the stage's user. */
async function foreign(stage: Stage, command: readonly string[], input = '', env: NodeJS.ProcessEnv = stage.env): Promise<Ran> {
  const [program = '', ...args] = [...becoming(stage.who), '/usr/bin/env', ...command]
  const child = spawn(program, args, { cwd: stage.project, env, stdio: 'pipe' })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

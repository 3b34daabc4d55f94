import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../../src/cli/results.ts'
import { command, everyone, isRoot, makeStage, needsRoot, ordinary, paddock, type Stage } from '../../support/cli.ts'
import { putAgents } from '../../support/fake-agents.ts'
import { type Lab, openInternetLab } from '../../support/lab/lab.ts'
import { shellWords } from '../../support/tmux.ts'

const fileOf = (stage: Stage): string => path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')

function putFile(stage: Stage, text: string, mode = 0o600): void {
  mkdirSync(path.dirname(fileOf(stage)), { recursive: true, mode: 0o700 })
  writeFileSync(fileOf(stage), text)
  chmodSync(fileOf(stage), mode)
  stage.own()
}

/** A project of npm, an installed agent, and a registry of the user's own settings. */
function prepare(stage: Stage, registry = 'https://registry.example/'): void {
  putAgents(stage, ['claude'])
  stage.put('package.json', '{}')
  writeFileSync(path.join(stage.home, '.npmrc'), `registry=${registry}\n`)
  stage.own()
}

test.each(everyone)('init --yes writes the defaults to a file that only the user can read, as %s', async (who) => {
  using stage = makeStage(who)
  prepare(stage)
  const { code, stdout, stderr } = await paddock(stage, ['init', '--yes'])
  expect([code, stderr]).toEqual([0, expect.stringContaining(`wrote ${fileOf(stage)}`)])
  const text = readFileSync(fileOf(stage), 'utf8')
  expect(text).toContain('\nrun:\n  egress: { presets: [ npm ] }\n\nagents:\n  claude: {}\n')
  expect(stdout).toContain('  egress: { presets: [ npm ] }')
  expect(statSync(fileOf(stage)).mode & 0o777).toBe(0o600)
  expect((await paddock(stage, ['config', 'show'])).stdout).toContain('run.egress.presets = npm')
  const again = await paddock(stage, ['init', '--yes'])
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('has all of it; nothing was changed')])
  expect(readFileSync(fileOf(stage), 'utf8')).toBe(text)
})

test.each(ordinary)('init --yes adds keys to a file of the user, and leaves every other byte and the link to it, as %s', async (who) => {
  using stage = makeStage(who)
  prepare(stage)
  const own = '# mine\nschemaVersion: 1\nrun:\n  limits: {timeout: 2h}   # long\n  egress:\n    presets: [pypi]\n'
  mkdirSync(path.dirname(fileOf(stage)), { recursive: true, mode: 0o700 })
  const dotfile = path.join(stage.root, 'dotfile.yaml')
  writeFileSync(dotfile, own, { mode: 0o640 })
  symlinkSync(dotfile, fileOf(stage))
  stage.own()
  const { code, stdout } = await paddock(stage, ['init', '--yes'])
  expect([code, stdout]).toEqual([0, '  run.egress.presets = npm\n  agents.claude = its own settings\n'])
  expect(readFileSync(dotfile, 'utf8')).toBe(`${own.replace('[pypi]', '[pypi, npm]')}\nagents:\n  claude: {}\n`)
  expect(statSync(dotfile).mode & 0o777).toBe(0o640)
})

test.each(ordinary)('init --json writes nothing without --yes, as %s', async (who) => {
  using stage = makeStage(who)
  prepare(stage)
  const would = JSON.parse((await paddock(stage, ['init', '--json'])).stdout) as Result<'init'>
  expect(would).toMatchObject({
    exists: false,
    written: false,
    added: [{ key: 'run.egress.presets', value: ['npm'] }, { key: 'agents.claude' }],
  })
  expect(() => statSync(fileOf(stage))).toThrow('ENOENT')
})

test.each(ordinary)('init without a terminal refuses, and changes no file that is not valid, as %s', async (who) => {
  using stage = makeStage(who)
  const { code, stderr } = await paddock(stage, ['init'])
  expect([code, stderr]).toEqual([
    2,
    'paddock: BAD_INPUT: paddock init asks its questions in a terminal, and there is none.\n  hint: To take the defaults: paddock init --yes\n',
  ])
  putFile(stage, 'schemaVersion: 1\nrun: { colour: red }\n')
  expect(await paddock(stage, ['init', '--yes'])).toMatchObject({ code: 2, stderr: expect.stringContaining('config.yaml:2: run.colour') })
})

test.each(ordinary)('init leaves out a preset with which no run would start, as %s', async (who) => {
  using stage = makeStage(who)
  prepare(stage, 'http://localhost:4873/')
  const { stderr } = await paddock(stage, ['init', '--yes'])
  expect(stderr).toMatch(/The preset npm finds no registry that a cell could reach: .*, so it was left out\n/)
  expect(readFileSync(fileOf(stage), 'utf8')).not.toContain('npm')
})

test.each(ordinary)('init reads no pipe in the place of the settings of git, as %s', async (who) => {
  using stage = makeStage(who)
  prepare(stage)
  mkdirSync(path.join(stage.project, '.git'))
  execFileSync('mkfifo', [path.join(stage.project, '.git/config')])
  expect((await paddock(stage, ['init', '--json'])).code).toBe(0)
})

describe('in a network with internal names', () => {
  needsRoot('the lab is a network namespace')
  let lab: Lab
  beforeAll(async () => {
    if (isRoot) lab = await openInternetLab()
  })
  afterAll(async () => {
    if (isRoot) await lab[Symbol.asyncDispose]()
  })
  const pin = 'private.example:443=10.1.2.3:443'

  test('init --yes opens no internal address, and says how', async () => {
    using stage = makeStage('user')
    prepare(stage, 'https://private.example/')
    const { code, stderr } = await lab.paddock(stage, ['init', '--yes'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        `private.example means 10.1.2.3, an address of your own network, so cells cannot reach it; to allow it, add to run.egress.allow: ${pin}\n`,
      ),
    ])
    expect(readFileSync(fileOf(stage), 'utf8')).not.toContain('10.1.2.3')
  })

  test('init asks in a terminal, and writes after a yes', async () => {
    using stage = makeStage('user')
    prepare(stage, 'https://private.example/')
    const init = shellWords(command('user', ['init']))
    const typed = async (...answers: readonly string[]): Promise<string> =>
      (
        await lab.run(['sh', '-c', `printf '${answers.map((each) => `${each}\\n`).join('')}' | script -qec "$1" /dev/null`, 'sh', init], {
          cwd: stage.project,
          env: stage.env,
        })
      ).stdout
        .replaceAll('\r', '')
        // Where the prompt of a terminal stands is not what is asked.
        .replaceAll(/\u001B\[\d*[A-Z]/g, '')
    // With and without a question about memory, which depends on the machine.
    const memory = (await lab.paddock(stage, ['doctor'])).stdout.includes('memory watch') ? [] : ['4 gigs', '4GiB']
    const refused = await typed('cladue', '', '', 'maybe', 'y', ...memory, 'n')
    for (const each of [
      /"cladue" is not one of them\. Did you mean claude\?/,
      /Which of them do you use\? \[claude\]/,
      /Which of them do cells need\? \[npm\]/,
      /private\.example means 10\.1\.2\.3, an address of your own network\. Cells reach it only if it is pinned: /,
      /Let cells reach it\? \[y\/N\]/,
      /Answer y or n\./,
      /allow: \[ private\.example:443=10\.1\.2\.3:443 \]/,
      /Write it\? \[Y\/n\]/,
      /nothing was changed/,
    ])
      expect(refused).toMatch(each)
    expect(() => statSync(fileOf(stage))).toThrow('ENOENT')
    await typed('', 'npm', 'y', ...memory, '')
    const limits = memory.length === 0 ? '' : '  limits: { memory: 4GiB }\n'
    expect(readFileSync(fileOf(stage), 'utf8')).toContain(
      `\nrun:\n  egress: { presets: [ npm ], allow: [ ${pin} ] }\n${limits}\nagents:\n  claude: {}\n`,
    )
    const more = await typed('claude codex', 'npm,pypi', 'y')
    expect(more).toMatch(
      /config\.yaml exists and stays as it is, apart from what you add here\. It sets:\n[\s\S]* {2}run\.egress\.presets = npm\n/,
    )
    expect(more).toMatch(
      /To be added to .*config\.yaml:\n {2}run\.egress\.presets = pypi\n {2}agents\.codex = its own settings\nAdd it\? \[Y\/n\]/,
    )
    expect(readFileSync(fileOf(stage), 'utf8')).toContain(`presets: [ npm, pypi ], allow: [ ${pin} ] }`)
  })
})

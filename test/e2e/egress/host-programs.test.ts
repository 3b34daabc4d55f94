import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '../../../src/cli/results.ts'
import { systemDirectories } from '../../../src/system/host-program.ts'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

/** Writes a `secret-tool` that records that it ran. Returns its directory. */
function putSecretTool(stage: Stage, directory: string): string {
  mkdirSync(directory, { recursive: true })
  const file = path.join(directory, 'secret-tool')
  writeFileSync(file, `#!/bin/sh\necho ran >> ${path.join(stage.home, 'ran')}\nexit 1\n`)
  chmodSync(file, 0o755)
  stage.own()
  return directory
}

const hasRun = (stage: Stage): boolean => existsSync(path.join(stage.home, 'ran'))

// A system directory comes before all others.
const hasSecretTool = existsSync('/usr/bin/secret-tool')
const reason = 'needs a machine without /usr/bin/secret-tool'

describe.each(everyone)('as %s', (who) => {
  test.for([
    ['absolute', (stage: Stage) => path.join(stage.project, 'node_modules/.bin')],
    ['relative', () => './node_modules/.bin'],
  ] as const)("a project's secret-tool in PATH (%s) does not get the key of the vault", async ([kind, entry], { skip }) => {
    skip(hasSecretTool, reason)
    using stage = makeStage(who)
    putSecretTool(stage, path.join(stage.project, 'node_modules/.bin'))
    const env = { PATH: `${entry(stage)}:${stage.env['PATH']}` }
    const ran = await paddock(stage, ['vault', 'init', '--keyring'], { env })
    expect(ran.code).toBe(125)
    expect(ran.stderr).toContain('CREDENTIAL_FAILED')
    if (kind === 'absolute')
      expect(ran.stderr).toMatch(/node_modules\/\.bin\/secret-tool does not run .*working directory[\s\S]*host\.path/)
    expect(hasRun(stage)).toBe(false)
  })

  test('what a cell could write to does not run in later commands, in any directory', async ({ skip }) => {
    skip(hasSecretTool, reason)
    using stage = makeStage(who)
    const before = await paddock(stage, ['run', '--', 'true'])
    expect(before.code, before.stderr).toBe(0)
    const directory = putSecretTool(stage, path.join(stage.project, '.venv/bin'))
    const ran = await paddock(stage, ['vault', 'init', '--keyring'], {
      cwd: stage.home,
      env: { PATH: `${directory}:${stage.env['PATH']}` },
    })
    expect(ran.stderr).toContain(`agents could write to ${stage.project}`)
    expect(hasRun(stage)).toBe(false)
  })

  test('a program in a directory of host.path runs', async ({ skip }) => {
    skip(hasSecretTool, reason)
    using stage = makeStage(who)
    putSecretTool(stage, path.join(stage.home, 'manager/bin'))
    mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
    writeFileSync(path.join(stage.root, 'paddock/config/config.yaml'), 'schemaVersion: 1\nhost: { path: [~/manager/bin] }\n')
    stage.own()
    await paddock(stage, ['vault', 'init', '--keyring'])
    expect(hasRun(stage)).toBe(true)
  })

  test("a preset asks no npm and no python3 of a project's directory in PATH", async () => {
    using stage = makeStage(who)
    for (const name of ['npm', 'python3']) {
      const file = path.join(stage.project, 'node_modules/.bin', name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, `#!/bin/sh\necho ran >> ${path.join(stage.home, 'ran')}\n`)
      chmodSync(file, 0o755)
    }
    stage.own()
    for (const entry of ['./node_modules/.bin', path.join(stage.project, 'node_modules/.bin')])
      for (const preset of ['npm', 'pypi'])
        await paddock(stage, ['run', '--dry-run', '--preset', preset, '--', 'true'], { env: { PATH: `${entry}:${stage.env['PATH']}` } })
    expect(hasRun(stage)).toBe(false)
  })

  test('doctor names each program of PATH that does not run, the reason, and host.path', async ({ skip }) => {
    const missing = ['gh', 'npm', 'secret-tool'].filter(
      (each) => !systemDirectories.some((directory) => existsSync(path.join(directory, each))),
    )
    skip(missing.length === 0, 'needs a machine without one of these programs')
    using stage = makeStage(who)
    const directory = path.join(stage.home, 'manager/bin')
    execFileSync('git', ['init', '-q', path.join(stage.home, 'manager')])
    mkdirSync(directory, { recursive: true })
    for (const each of [...missing, 'unused']) writeFileSync(path.join(directory, each), '#!/bin/sh\n', { mode: 0o755 })
    stage.own()
    const env = { PATH: `${stage.env['PATH']}:${directory}` }
    const named = async (): Promise<readonly unknown[]> =>
      (JSON.parse((await paddock(stage, ['doctor', '--json'], { env })).stdout) as Result<'doctor'>).checks
        .filter(({ name, detail }) => name !== 'PATH' && detail.includes(directory))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    expect(await named()).toEqual(
      missing.map((name) => ({
        name,
        ok: false,
        detail: expect.stringMatching(`^${directory}/${name} does not run on this machine, because it is in .*; it `) as string,
        hint: `If you trust it, add ${directory} to host.path in config.yaml, or install ${name} for the whole machine`,
      })),
    )
    mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
    writeFileSync(path.join(stage.root, 'paddock/config/config.yaml'), 'schemaVersion: 1\nhost: { path: [~/manager/bin] }\n')
    stage.own()
    expect(await named()).toEqual([])
  })

  test('a project cannot name directories for programs', async () => {
    using stage = makeStage(who)
    stage.put('.paddock.yaml', 'schemaVersion: 1\nhost: { path: [/tmp] }\n')
    stage.own()
    const ran = await paddock(stage, ['trust'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('host')
  })
})

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { makeProjectStage, type ProjectStage } from '../../support/project-stage.ts'

const makes = 'if grep -q bad lock; then echo no such package; exit 4; fi; mkdir deps; cat /proc/sys/kernel/random/uuid > deps/made'
const alice = 'cat > prompt; cp deps/made seen; echo mine > deps/made; echo new > deps/new'
const bob = 'cat > /dev/null; cp deps/made seen; echo bad > lock; rm -r deps; ln -s /etc deps'

/** Adds files and a setup to a contest. */
function withSetup(at: ProjectStage, script: string, more: object = {}): void {
  const file = path.join(at.contest, 'contest.yaml')
  const before = JSON.parse(readFileSync(file, 'utf8')) as object
  const setup = { command: ['sh', '-c', script], keep: ['deps'], files: ['lock'] }
  const checks = [{ name: 'same', command: ['cmp', 'deps/made', 'seen'] }]
  writeFileSync(file, JSON.stringify({ ...before, checks, setup, ...more }))
  writeFileSync(path.join(at.contest, 'start/lock'), 'lock 1\n')
  at.stage.own()
}

describe.each(everyone)('a contest with a setup, as %s', (who) => {
  test('each attempt and each check has its own directory, which is not submitted', async () => {
    using at = await makeProjectStage(who, { alice, bob })
    withSetup(at, makes)
    const ran = await at.run('run')
    expect(ran.stderr).toContain("setup: sh -c 'if grep")
    const sealed = (name: string): string => path.join(at.contest, 'rounds/1/sealed', name)
    const paths = (name: string): readonly string[] =>
      (JSON.parse(readFileSync(path.join(sealed(name), 'seal.json'), 'utf8')) as { files: { path: string }[] }).files.map(
        (each) => each.path,
      )
    for (const name of ['alice', 'bob']) {
      expect(paths(name), ran.stderr).toContain('seen')
      expect(paths(name).filter((each) => each.startsWith('deps'))).toEqual([])
      expect(readdirSync(path.join(at.contest, 'rounds/1', name, 'attempts/1/out'))).not.toContain('deps')
    }
    const result = (name: string): { result: string; why: string } =>
      JSON.parse(readFileSync(path.join(sealed(name), 'checks.json'), 'utf8')).checks[0]
    // The check of alice's work has what the setup made, not what she made of it. Bob's own lock file is his own problem.
    expect([result('alice'), result('bob')]).toMatchObject([{ result: 'passed' }, { result: 'failed' }])
    expect(ran.stderr).toMatch(/bob: setup: sh -c .* exited with code 4/)
    expect(readFileSync(path.join(at.contest, 'rounds/1/alice/attempts/1/out/prompt'), 'utf8')).toContain(
      'Already there, but not part of your submission: deps',
    )
    const attempts = ['alice', 'bob'].map((name) => readFileSync(path.join(at.contest, 'rounds/1', name, 'attempts/1/out/seen'), 'utf8'))
    expect(new Set(attempts).size).toBe(1)
  })

  test('no participant starts if the setup fails, and a setup requires start', async () => {
    using at = await makeProjectStage(who, { alice })
    withSetup(at, 'exit 3')
    const failed = await at.run('run')
    expect([failed.code, failed.stderr]).toEqual([125, expect.stringContaining('exited with code 3, so nothing was started.')])
    expect(existsSync(path.join(at.contest, 'rounds/1/alice/attempts/1/stdout.log'))).toBe(false)
    mkdirSync(path.join(at.contest, 'start/deps'))
    expect((await at.run('run')).stderr).toContain('start has deps already, so it would be missing in what is submitted.')
    rmSync(path.join(at.contest, 'start/deps'), { recursive: true })
    withSetup(at, makes, { start: undefined })
    const refused = await at.run('run')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('setup requires start')])
    withSetup(at, makes, { start: 'start' })
    const again = await at.run('run')
    expect(again.code, again.stderr).toBe(0)
  })

  test('lint tries the checks on trees that are set up', async () => {
    using at = await makeProjectStage(who, { alice })
    mkdirSync(path.join(at.contest, 'right'))
    for (const [file, text] of Object.entries({ lock: 'lock 1\n', answer: 'yes\n' }))
      writeFileSync(path.join(at.contest, 'right', file), text)
    const checks = [{ name: 'answers', command: ['sh', '-c', 'test -e deps/made && grep -q yes answer'] }]
    withSetup(at, makes, { checks, oracle: 'right' })
    const tried = await at.run('lint', '--try', '--json')
    const { findings } = JSON.parse(tried.stdout) as { findings: { level: string; message: string }[] }
    expect(
      findings.filter((each) => each.level === 'fault'),
      tried.stderr,
    ).toEqual([])
    withSetup(at, 'exit 3', { checks, oracle: 'right' })
    expect((await at.run('lint', '--try')).stdout).toContain("answers could not be tried: setup: sh -c 'exit 3' exited with code 3")
  })
})

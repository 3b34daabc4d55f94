import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeStage, ordinary, paddock, type Stage, type Who } from '../../support/cli.ts'
import { putAgents } from '../../support/fake-agents.ts'
import { going, killed } from '../../support/going.ts'
import { putLogin } from '../../support/host-login.ts'

const volumeOf = (stage: Stage, agent: string, name = 'default'): string => path.join(stage.root, 'paddock/state/volumes', agent, name)
const claudeFile = (stage: Stage, name = 'default'): string => path.join(volumeOf(stage, 'claude', name), 'home/.claude/.credentials.json')
const contentOf = (file: string): string => readFileSync(file, 'utf8')
const modeOf = (file: string): string => (lstatSync(file).mode & 0o777).toString(8)

function staged(who: Who): Stage {
  const stage = makeStage(who)
  onTestFinished(() => stage[Symbol.dispose]())
  putAgents(stage, ['claude', 'codex'])
  return stage
}

const login = (stage: Stage, code: string, args: readonly string[] = []) =>
  paddock(stage, ['login', ...args, 'claude', 'code'], { input: `${code}\n` })

describe.each(ordinary)('paddock login, as %s', (who) => {
  test('the login of the CLI itself is in the volume afterwards, and nothing else of what it left', async () => {
    const stage = staged(who)
    const done = await login(stage, 'first')
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toContain('open https://login.example/authorize and give the code: auth login')
    expect(done.stderr).toContain('open the address that it prints in a browser, on any machine')
    expect(done.stderr).toContain('a new login is in the volume "default" of claude')
    expect(done.stderr).toContain('claude · subscription · first@mail.example · renews itself')
    const volume = volumeOf(stage, 'claude')
    expect(spawnSync('find', ['.', '-type', 'f'], { cwd: volume, encoding: 'utf8' }).stdout.trim().split('\n').sort()).toEqual([
      './home/.claude/.claude.json',
      './home/.claude/.credentials.json',
    ])
    for (const each of [path.dirname(path.dirname(volume)), path.dirname(volume), volume, `${volume}/home`, `${volume}/home/.claude`])
      expect([each, modeOf(each)]).toEqual([each, '700'])
    expect(modeOf(claudeFile(stage))).toBe('600')
    expect(contentOf(`${volume}/home/.claude/.claude.json`)).not.toContain('private')
    expect(done.stderr + done.stdout).not.toMatch(/(access|refresh)-first/)
    const listed = await paddock(stage, ['credentials', 'list'])
    expect(listed.stdout).toMatch(/^claude +subscription .* first@mail\.example +a placeholder +volume default \(.*credentials\.json\)$/m)
    const audit = await paddock(stage, ['audit', 'tail', '--kind', 'credential.login', '--json'])
    expect(audit.stdout).toContain('"outcome":"taken"')
  })

  test('a browser on the loopback of this machine reaches the login in the cell', async () => {
    const stage = staged(who)
    const run = going(stage, ['login', '--json', 'codex', 'callback'])
    for (let tries = 0; ; tries++) {
      const page = await fetch('http://127.0.0.1:1455/auth/callback?code=came-back').catch(() => null)
      if (page?.status === 200) break
      if (tries > 400) throw new Error('the login was never there')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const { code, stdout, stderr } = await run.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      agent: 'codex',
      volume: 'default',
      outcome: 'taken',
      logins: [{ kind: 'key', account: null }],
    })
    expect(stderr).toContain('ssh -L 1455:127.0.0.1:1455')
    expect(contentOf(path.join(volumeOf(stage, 'codex'), 'home/.codex/auth.json'))).toContain('key-came-back')
  })

  test('anything but a login, or a link, leaves the volume as it was', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const before = contentOf(claudeFile(stage))
    const secret = putLogin(stage.home, 'claude', { access: 'a', refresh: 'b', id: 'c', expiresAt: new Date(Date.now() + 1e9) })
    stage.own()
    expect(await paddock(stage, ['login', 'claude', 'torn'])).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('claude did not leave a complete login; the volume "default" is unchanged.'),
    })
    for (const act of ['link', 'linked-directory', 'silent']) {
      const ran = await paddock(stage, ['login', 'claude', secret, act])
      expect([act, ran.code]).toEqual([act, 1])
      expect(ran.stderr).toContain('no new login; unchanged: the volume "default" of claude')
    }
    expect(contentOf(claudeFile(stage))).toBe(before)
    expect(readdirSync(volumeOf(stage, 'claude'))).toEqual(['home'])
  })

  test('one that is broken off leaves the volume as it was; meanwhile a second one is refused with the holder’s name', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const before = contentOf(claudeFile(stage))
    const run = going(stage, ['login', 'claude', 'wait'])
    await run.says('waiting')
    const second = await login(stage, 'second')
    expect(second.code).toBe(125)
    expect(second.stderr).toMatch(/The volume "default" of claude is in use by paddock login claude, process \d+, since 20/)
    expect((await login(stage, 'other', ['--volume', 'other'])).code).toBe(0)
    run.child.kill('SIGINT')
    const { code, stderr } = await run.ended
    expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted; unchanged: the volume "default" of claude')])
    expect(contentOf(claudeFile(stage))).toBe(before)
    expect(readdirSync(volumeOf(stage, 'claude'))).toEqual(['home'])
    expect(contentOf(claudeFile(stage, 'other'))).toContain('access-other')
  })

  test('kill -9 leaves the old volume whole, and the next one goes on; clean removes the rest', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const before = contentOf(claudeFile(stage))
    for (const after of ['login', 'clean'] as const) {
      const run = going(stage, ['login', 'claude', 'wait'])
      await run.says('waiting')
      await killed(run)
      expect(readdirSync(volumeOf(stage, 'claude'))).toHaveLength(2)
      expect(contentOf(claudeFile(stage))).toBe(before)
      if (after === 'login') expect((await paddock(stage, ['login', 'claude', 'silent'])).code).toBe(1)
      else expect((await paddock(stage, ['clean'])).stderr).toMatch(/removed broken-off login .*\/login-/)
      expect(readdirSync(volumeOf(stage, 'claude'))).toEqual(['home'])
    }
    expect(contentOf(claudeFile(stage))).toBe(before)
  })
})

describe.each(ordinary)('the login of a volume in cells, as %s', (who) => {
  const run = (stage: Stage, options: readonly string[], ...words: string[]) =>
    paddock(stage, ['run', '--quiet', '--prompt', 'x', ...options, 'claude', ...words])

  test('--credentials volume: the cell may write to its copy, another login is refused, one cell at a time', async () => {
    const stage = staged(who)
    expect(await run(stage, ['--credentials', 'volume'], 'show')).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('The volume "default" has no login of claude.\n  hint: Run: paddock login claude\n'),
    })
    await login(stage, 'first', ['--volume', 'own'])
    const shown = await run(stage, ['--credentials', 'volume:own'], 'show')
    expect(JSON.parse(shown.stdout)).toMatchObject({ content: expect.stringContaining('access-first'), may: 'write', mode: '600' })
    const cell = ['run', '--quiet', '--credentials', 'volume:own', '--egress', 'off', 'claude', 'rotate']
    const rotating = going(stage, cell)
    await rotating.says('rotated')
    expect(await run(stage, ['--credentials', 'volume:own'], 'show')).toMatchObject({
      code: 125,
      stdout: '',
      stderr: expect.stringMatching(/The volume "own" of claude is in use by a cell of claude, process \d+, since 20/),
    })
    expect((await paddock(stage, ['clean', '--volume', 'claude/own'])).code).toBe(125)
    rotating.child.stdin?.end()
    expect(await rotating.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'claude left another login in its cell; the volume "own" keeps the old one (to replace it: paddock login claude --volume own).',
      ),
    })
    expect(contentOf(claudeFile(stage, 'own'))).toContain('access-first')
    expect((await run(stage, ['--credentials', 'volume:own'], 'show')).stdout).toContain('access-first')
    const audit = await paddock(stage, ['audit', 'tail', '--kind', 'credential.login', '--json'])
    expect(audit.stdout).toMatch(/"outcome":"refused"/)
    // Other credential modes of the same agent in the same private home do not see the login.
    expect((await run(stage, ['--credentials', 'none'], 'show')).stdout).not.toContain('access-first')
  })

  test('another login in the cell of a killed Paddock is removed', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const before = contentOf(claudeFile(stage))
    for (const by of ['run', 'clean'] as const) {
      const rotating = going(stage, ['run', '--quiet', '--credentials', 'volume', '--egress', 'off', 'claude', 'rotate'])
      await rotating.says('rotated')
      await killed(rotating)
      if (by === 'run') expect((await run(stage, ['--credentials', 'volume'], 'show')).stdout).toContain('access-first')
      else await paddock(stage, ['clean'])
      expect([by, contentOf(claudeFile(stage))]).toEqual([by, before])
      expect(readdirSync(volumeOf(stage, 'claude'))).toEqual(['home'])
    }
  })

  test('a login that a cell has damaged is not adopted', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const before = contentOf(claudeFile(stage))
    const torn = await run(stage, ['--credentials', 'volume'], 'torn')
    expect(torn.stderr).toContain('claude did not leave a complete login; the volume "default" is unchanged.')
    await run(stage, ['--credentials', 'volume'], '/etc/passwd', 'link')
    expect(contentOf(claudeFile(stage))).toBe(before)
    expect(readdirSync(volumeOf(stage, 'claude'))).toEqual(['home'])
  })

  test('if the host has no login, placeholders stand for the login of the default volume', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    const cell = JSON.parse((await run(stage, [], 'show')).stdout) as { content: string; may: string }
    expect(cell.content).toContain('sk-ant-oat01-')
    expect(cell.content).not.toMatch(/(access|refresh)-first/)
    const plan = await run(stage, ['--dry-run', '--json'])
    expect(plan.stdout).toContain('claude login')
    expect((await run(stage, ['--credentials', 'snapshot'], 'show')).stdout).toContain('access-first')
    putLogin(stage.home, 'claude', { access: 'of-the-host', refresh: 'r', id: 'i', expiresAt: new Date(Date.now() + 1e9) })
    stage.own()
    expect((await run(stage, ['--credentials', 'snapshot'], 'show')).stdout).toContain('of-the-host')
    const listed = await paddock(stage, ['credentials', 'list'])
    expect(listed.stdout).toMatch(/the login itself, with --credentials volume:default +volume default/)
  })

  test('clean leaves volumes that are not named, and private homes', async () => {
    const stage = staged(who)
    await login(stage, 'first')
    await run(stage, [], 'show')
    const scratch = path.join(stage.root, 'paddock/state/scratch')
    for (const each of ['of-a-dead-one', 'of-this-test', 'new']) mkdirSync(path.join(scratch, each), { recursive: true })
    writeFileSync(path.join(scratch, 'of-a-dead-one/owner.json'), '{"pid":1,"started":"another boot:1"}')
    writeFileSync(path.join(scratch, 'of-a-dead-one/data'), 'x'.repeat(1_000))
    const { identify } = await import('../../../src/system/process-identity.ts')
    writeFileSync(path.join(scratch, 'of-this-test/owner.json'), JSON.stringify(await identify(process.pid)))
    stage.own()
    const homes = (): string[] => readdirSync(path.join(stage.root, 'paddock/state/homes'))
    const dry = JSON.parse((await paddock(stage, ['clean', '--dry-run', '--json'])).stdout) as { removed: unknown[]; bytes: number }
    expect(dry.removed).toEqual([{ what: 'scratch directory', path: path.join(scratch, 'of-a-dead-one'), bytes: 1_036 }])
    expect(readdirSync(scratch)).toHaveLength(3)
    expect((await paddock(stage, ['clean'])).stderr).toContain(`removed scratch directory ${scratch}/of-a-dead-one (1.0 KiB)`)
    expect(readdirSync(scratch).sort()).toEqual(['new', 'of-this-test'])
    expect((await paddock(stage, ['clean'])).stderr).toBe('paddock: there is nothing to remove\n')
    expect([homes().length, existsSync(claudeFile(stage))]).toEqual([1, true])
    expect(await paddock(stage, ['clean', '--volume', 'claude/other'])).toMatchObject({ code: 2 })
    expect((await paddock(stage, ['clean', '--volume', 'claude'])).code).toBe(0)
    expect([homes().length, existsSync(volumeOf(stage, 'claude'))]).toEqual([1, false])
  })
})

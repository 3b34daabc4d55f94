import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'
import { putAgents } from '../../support/fake-agents.ts'

const atL0 = ['run', '--posture', 'L0', '--i-know']

describe.each(everyone)('paddock run --posture L0, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const pids = (): readonly number[] => stage.read('pids').trim().split('\n').map(Number)
  const isAlive = (pid: number): boolean => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  const gone = async (): Promise<readonly number[]> => {
    for (let tries = 0; tries < 200 && pids().some(isAlive); tries++) await setTimeout(50)
    return pids().filter(isAlive)
  }

  it('is refused without --i-know, also if the configuration names it, and a project cannot name it', async () => {
    const refused = await paddock(stage, ['run', '--posture', 'L0', '--', 'touch', 'made'])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'paddock: NOT_ALLOWED: --posture L0: on the bare host, nothing protects your files, logins and network from the command.\n  hint: If you want that, add --i-know\n',
    ])
    expect(existsSync(path.join(stage.project, 'made'))).toBe(false)
    expect((await paddock(stage, ['run', '--i-know', '--', 'true'])).stderr).toContain('--i-know requires --posture L0.')
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  posture: L0\n')
    stage.own()
    await paddock(stage, ['trust'])
    expect(JSON.parse((await paddock(stage, ['run', '--dry-run', '--json', '--', 'true'])).stdout)).toMatchObject({ posture: 'L2' })
    rmSync(path.join(stage.project, '.paddock.yaml'))
    const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
    mkdirSync(config, { recursive: true })
    writeFileSync(path.join(config, 'config.yaml'), 'schemaVersion: 1\nrun:\n  posture: L0\n')
    stage.own()
    expect((await paddock(stage, ['run', '--', 'true'])).stderr).toMatch(/config\.yaml:3: run\.posture L0: on the bare host, nothing/)
  })

  it('runs the command on this machine with a clean environment, and its line, report and log say where', async () => {
    const script = 'cat; env; id -u; head -c1 /proc/1/comm >/dev/null && echo out > made; exit 3'
    const ran = await paddock(stage, [...atL0, '--report', 'r.json', '--', 'sh', '-c', script], {
      input: 'typed\n',
      env: { SOME_TOKEN: 'canary', PERL5OPT: '-Mcanary' },
    })
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringMatching(/^typed\n/)])
    expect(ran.stdout).not.toContain('canary')
    expect(ran.stdout).toContain(`HOME=${stage.home}\n`)
    expect(ran.stderr).toMatch(/^paddock: L0 · none · egress open · .*no other protection/)
    expect(stage.read('made')).toBe('out\n')
    expect(JSON.parse(stage.read('r.json'))).toMatchObject({
      ...{ posture: 'L0', backend: 'none', ending: { kind: 'exited', code: 3 }, changes: null },
      egress: { mode: 'open' },
    })
    const log = await paddock(stage, ['audit', 'tail', '--json', '--kind', 'cell'])
    expect(log.stdout).toMatch(/"posture":\s*"L0",\s*"backend":\s*"none"/)
    expect((await paddock(stage, ['audit', 'verify'])).code).toBe(0)
  })

  it('ends all processes of the command with it, also those in other sessions', async () => {
    const script = 'setsid sh -c "echo \\$\\$ >> pids; trap \\"\\" TERM; sleep 600" & (setsid sleep 601 & echo $! >> pids); sleep 0.3'
    expect((await paddock(stage, [...atL0, '--', 'sh', '-c', script])).code).toBe(0)
    expect([pids().length, await gone()]).toEqual([2, []])
  })

  it('ends a command that ignores SIGTERM after its time, and one that ended the program above it', async () => {
    const deaf = 'trap "" TERM; echo $$ >> pids; setsid sleep 600 & echo $! >> pids; sleep 600'
    expect((await paddock(stage, [...atL0, '--timeout', '1s', '--', 'sh', '-c', deaf])).code).toBe(124)
    expect(await gone()).toEqual([])
    const cut = 'echo $$ >> pids; setsid sleep 600 & echo $! >> pids; kill -9 $PPID; sleep 600'
    expect((await paddock(stage, [...atL0, '--', 'sh', '-c', cut])).code).toBe(137)
    expect(await gone()).toEqual([])
  })

  it('ends a command that stops the program above it, again and again', async () => {
    const stops = 'trap "" TERM; echo $$ > pids; while :; do kill -STOP $PPID; done'
    const ran = await paddock(stage, [...atL0, '--timeout', '1s', '--', 'sh', '-c', stops])
    expect([ran.code, await gone()]).toEqual([124, []])
  })

  it('ends the command if Paddock is killed', async () => {
    const child = startPaddock(stage, [...atL0, '--', 'sh', '-c', 'echo $$ > pids; setsid sleep 600 & echo $! >> pids; sleep 600'])
    while (!existsSync(path.join(stage.project, 'pids')) || pids().length < 2) await setTimeout(20)
    child.kill('SIGKILL')
    expect(await gone()).toEqual([])
  })

  it('a wish that would protect something is refused', async () => {
    for (const [args, message] of [
      [['--egress', 'allowlist'], '--egress allowlist cannot be enforced at L0'],
      [['--egress', 'off'], '--egress off cannot be enforced at L0'],
      [['--private'], '--private has no effect at L0'],
      [['--rules', 'git-push'], '--rules: no request is checked at L0'],
      [['--secret', 'KEY=env:HOME@api.example'], 'A placeholder has no effect at L0'],
      [['--mask', 'made'], '--mask: nothing is hidden at L0'],
      [['--publish', '3000'], '--publish has no effect at L0'],
      [['--copy'], '--copy has no effect at L0'],
      [['--strict-names'], 'strictNames has no effect at L0'],
      [['--disk', '1MiB'], 'The limit disk cannot be held at L0'],
      [['--backend', 'bubblewrap'], '--posture L0: '],
    ] as const) {
      const ran = await paddock(stage, [...atL0, ...args, '--', 'touch', 'made'])
      expect([args, ran.code === 125 || ran.code === 2, ran.stderr]).toEqual([args, true, expect.stringContaining(message)])
    }
    expect(existsSync(path.join(stage.project, 'made'))).toBe(false)
  })

  it('an agent uses its own login there only if the user allows it, and nothing is put into the home', async () => {
    putAgents(stage, ['claude'])
    const login = path.join(stage.home, '.claude/.credentials.json')
    const text = '{"claudeAiOauth":{"accessToken":"real","refreshToken":"r","expiresAt":4102444800000,"scopes":["user:inference"]}}'
    mkdirSync(path.dirname(login), { recursive: true })
    writeFileSync(login, text, { mode: 0o600 })
    stage.own()
    const refused = await paddock(stage, [...atL0, 'claude', 'show'])
    expect(refused.stderr).toContain('A placeholder has no effect at L0, and claude uses your own login there.')
    const ran = await paddock(stage, [...atL0, '--credentials', 'snapshot', '--as-is', 'claude', 'show'])
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('real')])
    expect(readFileSync(login, 'utf8')).toBe(text)
    expect(existsSync(path.join(stage.home, '.claude.json'))).toBe(false)
  })
})

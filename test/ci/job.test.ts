import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRoot, makeStage, type Stage } from '../support/cli.ts'
import { writeCostlySuite } from '../support/costly-suite.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

interface Done {
  readonly code: number | null
  readonly log: string
  readonly summary: string
  readonly outputs: string
  /** Returns a file of the report. */
  report(name: string): string
}

/** The action runs from the sources, so it is run by the user who can read them. */
describe('a job of GitHub', () => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(isRoot ? 'root' : 'user')
  })
  afterEach(() => stage[Symbol.dispose]())

  /** `through`: a program that starts the job. */
  const start = (
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string | undefined>> = {},
    through: readonly string[] = [],
  ) => {
    const temp = path.join(stage.root, 'runner')
    mkdirSync(temp, { recursive: true })
    const own: NodeJS.ProcessEnv = {
      HOME: stage.home,
      PATH: stage.env['PATH'],
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: stage.project,
      GITHUB_REPOSITORY: 'o/r',
      RUNNER_TEMP: temp,
      GITHUB_STEP_SUMMARY: path.join(stage.root, 'summary.md'),
      GITHUB_OUTPUT: path.join(stage.root, 'outputs'),
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...env,
    }
    const [program = '', ...args] = [...through, process.execPath, path.join(checkout, 'ci/start-action.ts')]
    return spawn(program, args, {
      cwd: stage.project,
      env: own,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  const job = async (...given: Parameters<typeof start>): Promise<Done> => {
    const child = start(...given)
    const parts: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (each) => parts.push(String(each)))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    const text = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    return {
      code,
      log: parts.join(''),
      summary: text(path.join(stage.root, 'summary.md')),
      outputs: text(path.join(stage.root, 'outputs')),
      report: (name) => text(path.join(stage.root, 'runner/paddock-report', name)),
    }
  }

  const event = (name: string): Record<string, string> => {
    const file = path.join(stage.root, 'event.json')
    writeFileSync(file, JSON.stringify({ pull_request: { head: { repo: { full_name: name } } } }))
    return { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: file }
  }

  it('runs a command in a cell, and shows what it did with places', async () => {
    execFileSync('git', ['init', '--quiet', stage.project])
    const script = 'echo all: > Makefile; git ls-remote https://a.example; (echo > /dev/tty) 2>&1; exit 3'
    const { code, log, summary, outputs, report } = await job({ args: `-- sh -c '${script}'` })
    expect(code).toBe(3)
    expect(log).toContain('::warning file=Makefile,line=1,title=Paddock::Review this file before you use it: make runs it.')
    expect(summary).toContain('## Paddock run: failed (exit code 3)')
    expect(summary).toContain('- a.example (not-allowed)')
    expect(outputs).toMatch(/^result<<(\w{32})\nfailed\n\1$/m)
    expect(report('comment.md')).toMatch(/^<!-- paddock run -->\n## Paddock run: failed/)
    expect(report('audit.jsonl')).toContain('"cell.end"')
    expect(report('junit.xml')).toContain('failures="1"')
    expect(JSON.parse(report('result.json'))).toMatchObject({ ending: { kind: 'exited', code: 3 } })
  })

  it('does not obey a workflow command of a cell, and hides secrets in all that it prints and writes', async () => {
    const { log, summary, report } = await job(
      { args: "-- sh -c 'echo ::set-output name=x::y; echo $A; touch $A; exit 1' --env A", directory: '.' },
      { A: 'x' },
    )
    const [, before = '', token = ''] = /(.*)::stop-commands::(\w{32})\n.*?::set-output/s.exec(log) ?? []
    expect(before).not.toContain('::set-output')
    expect(log.indexOf(`::${token}::`, log.indexOf('::set-output'))).toBeGreaterThan(0)
    const secret = await job({ args: "--env MY_TOKEN -- sh -c 'echo see $MY_TOKEN; touch $MY_TOKEN'" }, { MY_TOKEN: 'hunter2-hunter2' })
    expect(secret.log).toContain('see [secret MY_TOKEN]')
    for (const each of [secret.log, secret.summary, secret.report('result.json'), log, summary, report('comment.md')])
      expect(each).not.toContain('hunter2-hunter2')
  })

  it('gives the credentials of the job to no code of a fork', async () => {
    const args = "--env MY_TOKEN -- sh -c 'echo length $(expr length $MY_TOKEN)'"
    const env = { MY_TOKEN: 'hunter2-hunter2' }
    const own = await job({ args }, { ...env, ...event('o/r') })
    expect(own.log).toContain('length 15')
    const fork = await job({ args }, { ...env, ...event('other/r') })
    expect(fork.log).not.toContain('length 15')
    expect(fork.summary).toContain('The code comes from a fork (other/r is another repository than o/r), so the job had no credentials.')
    const allowed = await job({ args, 'fork-credentials': 'true' }, { ...env, ...event('other/r') })
    expect(allowed.log).toContain('length 15')
  })

  it('denies at once what would ask, and lists it', async () => {
    // A question waits for two minutes.
    const { code, summary } = await job({ args: "--ask a.example:80 -- sh -c 'curl -s http://a.example/ || true'", timeout: '90s' })
    expect(code).toBe(0)
    expect(summary).toContain('a.example:80 (not-approved)')
  })

  it.each([
    [{ command: 'rnu' }, 'Input command: "rnu" is not a command.'],
    [{ args: '-- true', directory: 'absent' }, 'Input directory: absent is not a directory of the checkout.'],
    [{ args: '-- true', from: 'absent' }, 'does not exist.'],
    [{ args: '-- true', from: 'http://packages.example/' }, 'Input from: http is not encrypted.'],
    [{ args: '-- true', report: '.' }, 'has other content, which the report would replace.'],
    [{ args: '--no-such -- true' }, "unknown option '--no-such'"],
  ])('refuses %j', async (inputs, message) => {
    const { code, log, outputs } = await job(inputs)
    expect(log).toContain(message)
    expect(code).toBe(2)
    expect(outputs).toMatch(/^error$/m)
  })

  it('annotates each problem of a contest at its line', async () => {
    cpSync(path.join(checkout, 'examples/hello'), path.join(stage.project, 'hello'), { recursive: true })
    const file = path.join(stage.project, 'hello/contest.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('agent: command', 'agent: cladue'))
    const { code, log } = await job({ command: 'contest', directory: 'hello' })
    expect(code).toBe(2)
    expect(log).toContain('::error file=hello/contest.yaml,line=9,title=Paddock::participants[0].agent cannot be used')
  })

  it('ends with 1 if the budget stopped a part of a suite, and the work is kept', async () => {
    writeCostlySuite(path.join(stage.project, 'costly'))
    const { code, log, summary, report } = await job({ command: 'suite', directory: 'costly', budget: '0.6' })
    expect(code).toBe(1)
    expect(summary).toContain('The budget was reached (money), so 1 of 3 contests are not complete.')
    expect(log).toMatch(/^::error file=costly\/suite\.yaml,title=Paddock::The budget was reached/m)
    expect(log).toMatch(
      /::warning file=.*BRIEF\.md,line=1,title=Paddock::The contest \w+-1 is not complete: the budget has too little money left/,
    )
    expect(JSON.parse(report('result.json'))).toMatchObject({ reached: 'money', spent: { money: 0.5 } })
    const again = await job({ command: 'suite', directory: 'costly', budget: '0.75' })
    expect(again.code).toBe(0)
    expect(JSON.parse(again.report('result.json'))).toMatchObject({ reached: null, spent: { money: 0.75 } })
  })

  it.each([undefined, '', 'relative', '/nonexistent', '/dev/null'])('has an empty home if HOME is %s', async (HOME) => {
    const { code, log } = await job({ args: "-- sh -c 'cd && pwd && ls -A'" }, { HOME })
    expect([code, log]).toEqual([0, expect.stringContaining(`\n${stage.root}/runner/paddock-`)])
    expect(log).toMatch(/\/user\n(?:paddock|::)/)
  })

  it('replaces no link that a cell made at the place of the report', async () => {
    writeFileSync(path.join(stage.root, 'precious'), 'kept')
    const { code, summary } = await job(
      { args: "-- sh -c 'mkdir -p out; ln -s ../.. out/report'", report: 'out/report' },
      { HOME: undefined },
    )
    expect(code).toBe(0)
    expect(summary).toContain('## Paddock run: passed')
    expect(readFileSync(path.join(stage.root, 'precious'), 'utf8')).toBe('kept')
    expect(existsSync(path.join(stage.project, 'out/report/comment.md'))).toBe(true)
  })

  it('refuses a report below a link that a cell made', async () => {
    const { code, log } = await job({ args: `-- sh -c 'rm -rf out; ln -s ${stage.home} out'`, report: 'out/report' })
    expect(code).toBe(125)
    expect(log).toContain('a part of its path is a symbolic link')
    expect(existsSync(path.join(stage.home, 'report'))).toBe(false)
  })

  it('ends the command after its time, with 124', async () => {
    const run = await job({ args: '-- sleep 600', timeout: '1s' })
    expect(run.code).toBe(124)
    expect(run.summary).toContain('timed-out')
    mkdirSync(path.join(stage.project, 'slow'))
    const contest = { schemaVersion: 1, name: 'slow', participants: [{ name: 'one', agent: 'command', command: ['sleep', '600'] }] }
    writeFileSync(path.join(stage.project, 'slow/contest.yaml'), JSON.stringify({ ...contest, checks: [{ name: 'c', command: 'true' }] }))
    writeFileSync(path.join(stage.project, 'slow/BRIEF.md'), 'Sleep.\n')
    const slow = await job({ command: 'contest', directory: 'slow', timeout: '2s' })
    expect(slow.code).toBe(124)
    expect(slow.log).toContain('The time limit of 2.0 s ended the job.')
  })

  it('ends the cell when the runner cancels the job', async () => {
    const child = start({ args: '-- sleep 600' })
    let log = ''
    child.stdout.on('data', (each) => {
      log += String(each)
      if (log.includes('paddock: L2')) child.kill('SIGTERM')
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130)
  })

  it('says what an administrator can do if cells do not work, and runs nothing', async () => {
    const fake = path.join(stage.root, 'paddock-without-cells')
    const lines = 'This needs root, and sudo is not installed. Ask an administrator to run: apt-get install --yes bubblewrap'
    writeFileSync(
      fake,
      `#!/bin/sh\n[ "$1" = --version ] && exec echo 0.1.0\n[ "$1" = doctor ] || exec touch ${stage.root}/ran\necho '${lines}'\nexit 1\n`,
    )
    chmodSync(fake, 0o755)
    const { code, log } = await job({ args: '-- true', from: fake })
    expect(code).toBe(125)
    expect(log).toContain(`::error title=Paddock::Cells do not work on this runner. ${lines}.`)
    expect(existsSync(path.join(stage.root, 'ran'))).toBe(false)
  })

  /** Runs `act` while a directory is read-only. */
  const whileReadOnly = async (directory: string, act: () => Promise<void>): Promise<void> => {
    execFileSync('mount', ['--bind', '-o', 'ro', directory, directory])
    try {
      await act()
    } finally {
      execFileSync('umount', [directory])
    }
  }

  it('copies a contest in a read-only checkout', async ({ skip }) => {
    skip(!isRoot, 'needs root: a read-only mount')
    const at = path.join(stage.project, 'one')
    mkdirSync(at)
    const contest = { schemaVersion: 1, name: 'one', participants: [{ name: 'one', agent: 'command', command: ['touch', 'a'] }] }
    writeFileSync(path.join(at, 'contest.yaml'), JSON.stringify({ ...contest, checks: [{ name: 'c', command: 'true' }] }))
    writeFileSync(path.join(at, 'BRIEF.md'), 'Make a.\n')
    await whileReadOnly(at, async () => {
      const { code, summary } = await job({ command: 'contest', directory: 'one' })
      expect(summary).toContain('one is read-only, so the job worked on a copy of it.')
      expect(code).toBe(0)
    })
  })

  it('names the option for a run in a read-only checkout, which works with it', async ({ skip }) => {
    skip(!isRoot, 'needs root: a read-only mount')
    execFileSync('git', ['init', '--quiet', stage.project])
    await whileReadOnly(stage.project, async () => {
      const refused = await job({ args: '-- true' })
      expect([refused.code, refused.log]).toEqual([
        125,
        expect.stringContaining(
          `::error title=Paddock::The cell could not be started: the file system of ${stage.project} is read-only.%0AWork on a copy of it with --copy`,
        ),
      ])
      const copied = await job({ args: "--copy -- sh -c 'echo made > a && cat a'" })
      expect([copied.code, copied.log]).toEqual([0, expect.stringMatching(/^made$/m)])
    })
  })

  it('names a fix in a container that has no user namespaces, and changes nothing with fix: false', async ({ skip }) => {
    skip(!isRoot, 'needs root: the job of a user is run by the user')
    const withoutNamespaces = `echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"`
    const { code, log } = await job({ args: '-- true', fix: 'false' }, {}, [
      'unshare',
      '--user',
      '--map-root-user',
      'sh',
      '-c',
      withoutNamespaces,
    ])
    expect(code).toBe(125)
    expect(log).toMatch(/::error title=Paddock::Cells do not work on this runner\. Missing: .*user namespaces.*%0A/)
    expect(log).not.toContain('::group::paddock run')
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isRoot, makeStage, type Stage } from '../support/cli.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const tools = path.join(checkout, 'test/real-clis')
const program = path.join(checkout, 'bin/paddock.mjs')

interface Done {
  readonly code: number | null
  readonly log: string
  report(name: string): string
}

/** Both programs read the sources, so they are run by the user who can. */
const who = isRoot ? 'root' : 'user'

/** Returns a stage whose project is a checkout with the examples. */
function makeCheckout(): Stage {
  const stage = makeStage(who)
  for (const each of ['hello', 'small-suite'])
    cpSync(path.join(checkout, 'examples', each), path.join(stage.project, each), { recursive: true })
  const git = (...args: readonly string[]): string => execFileSync('git', ['-C', stage.project, ...args], { encoding: 'utf8' })
  git('init', '--quiet')
  git('remote', 'add', 'origin', 'https://gitlab.example/group/project.git')
  return stage
}

/** Makes the next round of the suite worse in every brief. */
const worsen = (stage: Stage): void =>
  writeFileSync(path.join(stage.project, 'small-suite/solvers/careful/solve.sh'), 'echo wrong > answer.txt\n')

const environment = (stage: Stage): NodeJS.ProcessEnv => ({
  HOME: stage.home,
  PATH: `${tools}/node_modules/.bin:${path.dirname(process.execPath)}:${stage.env['PATH']}`,
  LANG: 'C.UTF-8',
  npm_config_offline: 'true',
})

/** Runs the action in GitHub's own program for trying actions. */
function action(stage: Stage, inputs: Readonly<Record<string, string>>): Done {
  const temp = path.join(stage.root, 'runner')
  mkdirSync(temp, { recursive: true })
  const env = {
    GITHUB_WORKSPACE: stage.project,
    RUNNER_TEMP: temp,
    GITHUB_STEP_SUMMARY: path.join(stage.root, 'summary.md'),
    GITHUB_OUTPUT: path.join(stage.root, 'outputs'),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, `\`${value}\``])),
  }
  const file = path.join(stage.root, 'inputs.env')
  writeFileSync(
    file,
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const ran = spawnSync('local-action', ['run', checkout, 'ci/action.ts', file], { cwd: tools, env: environment(stage), encoding: 'utf8' })
  return { code: ran.status, log: ran.stdout + ran.stderr, report: reading(path.join(temp, 'paddock-report')) }
}

/** Runs one job of the component in a shell. */
function component(stage: Stage, inputs: Readonly<Record<string, string>>): Done {
  mkdirSync(path.join(stage.project, 'templates'), { recursive: true })
  cpSync(path.join(checkout, 'templates/paddock.yml'), path.join(stage.project, 'templates/paddock.yml'))
  const pipeline = { include: [{ local: '/templates/paddock.yml', inputs: { job: 'one', from: 'installed', ...inputs } }] }
  writeFileSync(path.join(stage.project, '.gitlab-ci.yml'), JSON.stringify(pipeline))
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', stage.project, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { encoding: 'utf8' })
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'Work')
  // The command of an installed Paddock.
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin, { recursive: true })
  if (!existsSync(path.join(bin, 'paddock'))) execFileSync('ln', ['-s', program, path.join(bin, 'paddock')])
  const env = environment(stage)
  const ran = spawnSync('gitlab-ci-local', ['--force-shell-executor', '--no-timestamps', 'one'], {
    cwd: stage.project,
    env: { ...env, PATH: `${bin}:${env['PATH']}` },
    encoding: 'utf8',
  })
  const log = stripVTControlCharacters(ran.stdout + ran.stderr)
  const job = /FAIL +(\d+)/.exec(log)?.[1]
  return { code: job === undefined ? ran.status : Number(job), log, report: reading(path.join(stage.project, 'paddock-report')) }
}

const reading =
  (directory: string) =>
  (name: string): string => {
    const file = path.join(directory, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

describe.each([
  ['the action in local-action', action],
  ['the component in gitlab-ci-local', component],
] as const)('%s', (_, run) => {
  it('runs a contest to its leaderboard', { timeout: 300_000 }, () => {
    using stage = makeCheckout()
    const { code, log, report } = run(stage, { command: 'contest', directory: 'hello' })
    // One judge measures speed, so the second may be so close that nobody leads.
    expect(log).toContain('Paddock contest: passed. careful')
    expect(code).toBe(0)
    expect(report('comment.md')).toMatch(/^\| 1(?:–2)? \| \*\*careful\*\* /m)
    expect(report('report.html')).toContain('careful')
    expect(report('junit.xml')).toContain('<testcase classname="hello" name="careful"/>')
  })

  it('ends with 1 if a suite became worse, and names the line of the participant', { timeout: 600_000 }, () => {
    using stage = makeCheckout()
    expect(run(stage, { command: 'suite', directory: 'small-suite' }).code).toBe(0)
    worsen(stage)
    expect(run(stage, { command: 'suite', directory: 'small-suite', args: '--fresh' }).code).toBe(0)
    const { code, log, report } = run(stage, {
      command: 'compare',
      directory: 'small-suite',
      base: 'small-suite@1',
      'fail-if': 'worse by 3\nchecks worse by 3',
      // The machine may be so busy that attempts of the other one fail.
      args: '--participants careful',
    })
    expect(log).toMatch(/small-suite\/suite\.yaml(?:,line=|:)9.*Gate \\?"worse by 3\\?", careful: careful is worse/)
    expect(code).toBe(1)
    expect(report('junit.xml')).toContain('failures="2"')
  })

  it('verifies guarantees', { timeout: 300_000 }, () => {
    using stage = makeCheckout()
    const { code, log, report } = run(stage, { command: 'verify', args: '--only home-absent --only host-files-absent' })
    expect(log).toContain('Paddock verify: passed. L2, bubblewrap, egress allowlist: 2 guarantees held, 0 broken, 0 not enforceable here.')
    expect(code).toBe(0)
    expect(report('junit.xml')).toContain('<testcase classname="paddock.guarantees" name="home-absent"/>')
  })

  it('ends as its program, and lists what it was denied', { timeout: 300_000 }, () => {
    using stage = makeCheckout()
    const script = 'echo "it is \'$0\'"; git ls-remote https://a.example; exit 3'
    const { code, log, report } = run(stage, { args: `-- sh -c '${script.replaceAll("'", "'\\''")}'` })
    expect(log).toContain("it is 'sh'")
    expect(code).toBe(3)
    expect(report('summary.md')).toContain('- a.example (not-allowed)')
  })
})

it('GitHub starts the action with Node 24 and without a build', () => {
  const { runs } = parse(readFileSync(path.join(checkout, 'action.yml'), 'utf8')) as { runs: { using: string; main: string } }
  expect(runs).toEqual({ using: 'node24', main: 'ci/start-action.ts' })
  const ran = spawnSync(process.execPath, [path.join(checkout, runs.main)], {
    env: { PATH: '/usr/bin:/bin', GITHUB_WORKSPACE: '/' },
    encoding: 'utf8',
  })
  expect(ran.stdout).toContain('Input args: an agent or a command is missing.')
  expect(ran.status).toBe(2)
})

import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, inTurn, median, time } from './measure.ts'

const bin = fileURLToPath(new URL('../bin/paddock.mjs', import.meta.url))
const files = 100_000
const perDirectory = 10
const rounds = 3
/** At most so many times the time of the other program. */
const most = { copy: 1.3, apply: 3 }
/** At most so many milliseconds more than a start in an empty project. */
const mostMoreThanEmptyMs = 500
const mostMoreMs = 100

/** Measures the cost of a repository of 100,000 files, compared to the system's own programs in the same one. */
export async function largeTree(directory: string, env: Record<string, string>): Promise<Figure[]> {
  const tree = path.join(directory, 'tree')
  makeTree(tree)
  const git = (...args: string[]) =>
    run('git', ['-c', 'gc.auto=0', '-c', 'user.name=bench', '-c', 'user.email=bench@bench.test', ...args], tree, env)
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'all'],
  ])
    await git(...args)
  const paddock = (...args: string[]) => run(process.execPath, [bin, ...args], tree, env)
  const [other, empty] = [path.join(directory, 'other'), path.join(directory, 'empty')]
  mkdirSync(empty)
  const started = (cwd: string) => (): Promise<number> => time(() => run(process.execPath, [bin, 'run', '--quiet', '--', 'true'], cwd, env))
  const found = await inTurn(rounds, {
    empty: started(empty),
    run: started(tree),
    cp: async () => {
      const took = await time(() => run('cp', ['-a', '--reflink=auto', tree, other], directory, env))
      rmSync(other, { recursive: true })
      return took
    },
    copy: () => time(() => paddock('run', '--copy', '--quiet', '--', 'sh', '-c', 'echo changed >> 0/0/0.ts')),
    status: () => time(() => git('status', '--porcelain')),
    apply: async () => {
      const took = await time(() => paddock('apply', '--allow-secrets'))
      await settled(path.join(env['PADDOCK_HOME'] ?? '', 'state/copies'))
      return took
    },
  })
  const figure = (name: string, ours: keyof typeof most, theirs: keyof typeof found, words: string): Figure => {
    const [mine, other] = [median(found[ours]), median(found[theirs])]
    const value = `${(mine / 1000).toFixed(2)} s, ${words} ${(other / 1000).toFixed(2)} s: ${(mine / other).toFixed(1)}`
    return {
      name: `${files.toLocaleString('en')} files: ${name}`,
      value,
      bar: `at most ${most[ours].toFixed(1)} of ${words}`,
      met: mine / other <= most[ours],
    }
  }
  await git('branch', 'base')
  await git('switch', '-qc', 'plain')
  await git('commit', '-q', '--allow-empty', '-m', 'plain')
  appendFileSync(path.join(tree, '.envrc'), 'export A=1\n')
  await git('switch', '-qc', 'held')
  await git('add', '.envrc')
  await git('commit', '-qm', 'held')
  await git('switch', '-qc', 'held-too')
  await git('commit', '-q', '--allow-empty', '-m', 'held too')
  const thereAndBack = (from: string, to: string) => async () => {
    await git('switch', '-q', from)
    return time(() => paddock('run', '--quiet', '--egress', 'off', '--', 'sh', '-ec', `git switch -q ${to}; git switch -q ${from}`))
  }
  const switches = await inTurn(rounds * 3, { plain: thereAndBack('plain', 'base'), held: thereAndBack('held', 'held-too') })
  const more = median(switches.held) - median(switches.plain)
  const figures = [
    {
      name: `${files.toLocaleString('en')} files: two git switch with a tracked .envrc`,
      value: `${(median(switches.held) / 1000).toFixed(2)} s, without ${(median(switches.plain) / 1000).toFixed(2)} s: ${more.toFixed(0)} ms more`,
      bar: `at most ${mostMoreMs} ms more`,
      met: more <= mostMoreMs,
    },
    {
      name: `${files.toLocaleString('en')} files: paddock run -- true`,
      value: `${(median(found.run) / 1000).toFixed(2)} s, in an empty project ${(median(found.empty) / 1000).toFixed(2)} s`,
      bar: `at most ${mostMoreThanEmptyMs / 1000} s more`,
      met: median(found.run) - median(found.empty) <= mostMoreThanEmptyMs,
    },
    figure('paddock run --copy', 'copy', 'cp', 'cp -a --reflink=auto'),
    figure('paddock apply of one file', 'apply', 'status', 'git status'),
  ]
  rmSync(tree, { recursive: true })
  return figures
}

function makeTree(tree: string): void {
  for (let at = 0; at < files; at += perDirectory) {
    const place = path.join(tree, `${Math.floor(at / perDirectory / 100)}`, `${Math.floor(at / perDirectory) % 100}`)
    mkdirSync(place, { recursive: true })
    for (let each = 0; each < perDirectory; each++)
      writeFileSync(path.join(place, `${each}.ts`), `export const value${at + each} = ${each}\n`.repeat(30))
  }
  appendFileSync(path.join(tree, 'README.md'), 'A tree to measure in.\n')
}

/** Waits for copies that are deleted in the background, which would distort the next measurement. */
async function settled(copies: string): Promise<void> {
  // The lock of a project stays.
  while (readdirSync(copies).some((each) => !each.endsWith('.lock'))) await new Promise((resolve) => setTimeout(resolve, 100))
}

function run(program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${said}`))))
  })
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, inject } from 'vitest'
import { checkAnswer } from './answers.ts'
import { freshDirectory } from './fresh-directory.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
export const isRoot = process.getuid?.() === 0

/** The user who runs Paddock in a test. `root` requires tests that run as root; `user` is then an unprivileged uid, else the own user. */
export type Who = 'root' | 'user'
export const both: readonly Who[] = isRoot ? ['root', 'user'] : ['user']
/** The user of tests whose subject is the same for every user. */
export const ordinary: readonly Who[] = ['user']
const tier = process.env['PADDOCK_TEST_TIER']
/** True in `npm run test:lab`, which runs every case of a test. */
export const isLab: boolean = tier === 'lab'
/** The users that a test is repeated for: `user` in `npm test`, for tests of `slow` and with the real CLIs, `root` in the deep tier, both in the lab. */
export const everyone: readonly Who[] = !isRoot ? ['user'] : isLab ? both : tier === 'deep' ? ['root'] : ['user']

/** An unprivileged uid that owns nothing on the machine. */
const userId = 61_234

/** A directory for one test with a home, Paddock's state and a project. It is removed at the end. */
export interface Stage extends Disposable {
  readonly who: Who
  readonly root: string
  readonly home: string
  readonly project: string
  /** The same environment for every command of the stage. */
  readonly env: Record<string, string>
  /** Writes a file of the project, and creates its directories. */
  put(file: string, content: string): void
  /** Reads a file of the project. */
  read(file: string): string
  /** Changes the owner of everything in the stage to the user who runs Paddock. */
  own(): void
}

export function makeStage(who: Who): Stage {
  const root = realpathSync(freshDirectory('/tmp/paddock-test-'))
  chmodSync(root, 0o755)
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(project)
  const env = { HOME: home, PADDOCK_HOME: path.join(root, 'paddock'), PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm' }
  mkdirSync(env.PADDOCK_HOME, { mode: 0o700 })
  const own = (): void => {
    if (who === 'user' && isRoot) ownAll(root)
  }
  own()
  const put = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
    writeFileSync(path.join(project, file), content)
  }
  const read = (file: string): string => readFileSync(path.join(project, file), 'utf8')
  return { who, root, home, project, env, put, read, own, [Symbol.dispose]: () => removeAll(root) }
}

/** Removes a tree, including directories that a cell made unreadable. */
function removeAll(root: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', root])
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
}

/** Skips what a running server removes meanwhile. */
function ownAll(file: string): void {
  const entries = ((): readonly string[] => {
    try {
      lchownSync(file, userId, userId)
      return lstatSync(file).isDirectory() ? readdirSync(file) : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })()
  for (const each of entries) ownAll(path.join(file, each))
}

export interface Ran {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The Node version that starts `bin/paddock.mjs`. */
export type Under = 'Node 24' | 'Node 20'
export const underEach: readonly Under[] = ['Node 24', 'Node 20']

export interface RunOptions {
  readonly under?: Under
  readonly cwd?: string
  readonly env?: Record<string, string>
  readonly input?: string
  /** The shell text before the command, for example `printf text |`. */
  readonly shell?: string
}

/** Starts the built command as the stage's user. */
export function startPaddock(stage: Stage, args: readonly string[], options: RunOptions & { readonly stdio?: 'pipe' } = {}): ChildProcess {
  const { node, bin } = program(stage.who, options.under)
  const as = stage.who === 'user' && isRoot ? { uid: userId, gid: userId } : {}
  const posture = process.env['PADDOCK_TEST_POSTURE']
  const words =
    posture !== undefined && args[0] === 'run' && !args.includes('--posture') ? ['run', '--posture', posture, ...args.slice(1)] : args
  const [program_, ...rest] =
    options.shell === undefined ? [node, bin, ...words] : ['sh', '-c', `${options.shell} "$@"`, 'sh', node, bin, ...words]
  return spawn(program_ ?? node, rest, { cwd: options.cwd ?? stage.project, env: { ...stage.env, ...options.env }, stdio: 'pipe', ...as })
}

export async function paddock(stage: Stage, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startPaddock(stage, args, options)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input ?? '')
  const [stdout, stderr, ended] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    }),
  ])
  await checkAnswer(args, stdout)
  return { ...ended, stdout, stderr }
}

/** Runs a shell script in a cell. */
export function inCell(stage: Stage, script: string, options: RunOptions & { readonly args?: readonly string[] } = {}): Promise<Ran> {
  return paddock(stage, ['run', '--quiet', ...(options.args ?? []), '--', 'sh', '-c', script], options)
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = ''
  for await (const chunk of stream ?? []) all += String(chunk)
  return all
}

/** Returns the command line that starts the built command as that user, for tests that start it themselves. */
export function command(who: Who, args: readonly string[], under?: Under): readonly string[] {
  const { node, bin } = program(who, under)
  return [...becoming(who), node, bin, ...args]
}

/** Returns the start of a command line that runs any program as that user. */
export function becoming(who: Who): readonly string[] {
  if (who === 'root' || !isRoot) return []
  return ['/usr/bin/setpriv', '--reuid', String(userId), '--regid', String(userId), '--clear-groups', '--']
}

/** Returns a Node that can be mounted into cells by `--ro` wherever the checkout is: files under /run and /dev cannot. */
export function mountableNode(): string {
  return isRoot ? path.join(inject('copyForUsers'), 'node') : process.execPath
}

/** Returns the last arguments of `paddock run` that run a script (an ES module) with these arguments in a cell's Node. */
export function nodeInCell(script: string, args: readonly string[]): readonly string[] {
  return ['--ro', mountableNode(), '--', mountableNode(), '--input-type=module', '-e', script, ...args]
}

/** Skips the tests of the enclosing describe, and prints this reason, if they do not run as root. */
export function needsRoot(why: string): void {
  beforeEach(({ skip }) => skip(!isRoot, `needs root: ${why}`))
}

/** Returns the built command, or for another user a copy that this user can read whatever the checkout's permissions. */
function program(who: Who, under: Under = 'Node 24'): { node: string; bin: string } {
  if (!existsSync(path.join(checkout, 'dist/main.js'))) throw new Error('not built: npm run build')
  const old = under === 'Node 20'
  if (who === 'root' || !isRoot)
    return {
      node: old ? path.join(checkout, 'test/node20/node_modules/node20/bin/node') : process.execPath,
      bin: path.join(checkout, 'bin/paddock.mjs'),
    }
  const place = inject('copyForUsers')
  return { node: path.join(place, old ? 'node20' : 'node'), bin: path.join(place, 'bin/paddock.mjs') }
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { becoming, command, everyone, makeStage, type Stage } from '../support/cli.ts'
import type { ConsoleCommand } from './console-command.ts'

const who = everyone[0] ?? 'user'
const separator = '\x1e'

export interface RanCommand {
  readonly text: string
  readonly code: number
  /** Standard output and standard error together, with the page's names for directories. */
  readonly printed: readonly string[]
}

/** A home with a project, `~/project`, for the examples of one page. */
export interface ExampleStage extends Disposable {
  readonly stage: Stage
  readonly home: string
  readonly project: string
  /** The directory of the built command, like an installation or a checkout. */
  readonly installation: string
  /** Runs the commands one after the other in one bash, as if a person typed them. */
  run(
    commands: readonly ConsoleCommand[],
    options?: { readonly cwd?: string; readonly ports?: ReadonlyMap<string, string> },
  ): Promise<readonly RanCommand[]>
  /** Runs a bash script as the same user, to prepare something. Throws if it fails. */
  prepare(script: string): Promise<void>
}

export async function makeExampleStage(): Promise<ExampleStage> {
  const stage = makeStage(who)
  const project = path.join(stage.home, 'project')
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin)
  mkdirSync(project)
  const [node = '', main = ''] = command(who, []).slice(becoming(who).length)
  writeFileSync(path.join(bin, 'paddock'), `#!/bin/sh\nexec '${node}' '${main}' "$@"\n`)
  chmodSync(path.join(bin, 'paddock'), 0o755)
  // The standard input of each command: a prompt, for agents without one.
  const input = path.join(stage.root, 'input')
  writeFileSync(input, 'Make the tests pass.\n')
  stage.own()
  // Without PADDOCK_HOME, because the pages name paths in the home directory.
  const { PADDOCK_HOME: _, ...rest } = stage.env
  const env = { ...rest, PATH: `${stage.home}/.local/bin:${bin}:${stage.env['PATH'] ?? ''}` }
  const bash = (script: string, cwd: string) =>
    endOf(spawn('/usr/bin/env', [...becoming(who), 'bash', '-c', script], { cwd, env, timeout: 120_000 }))
  const prepare = async (script: string): Promise<void> => {
    const { code, output } = await bash(`exec 2>&1; set -e\n${script}`, project)
    if (code !== 0) throw new Error(`the example's setup failed: ${output}`)
  }
  await prepare(baseProject)
  return {
    stage,
    home: stage.home,
    project,
    installation: path.dirname(path.dirname(main)),
    prepare,
    run: async (commands, { cwd = project, ports = new Map() } = {}) => {
      const inside = (text: string): string => [...ports].reduce((all, [shown, real]) => all.replaceAll(shown, real), text)
      const outside = (text: string): string =>
        [...ports].reduce((all, [shown, real]) => all.replaceAll(real, shown), text).replaceAll(stage.home, '/home/user')
      const lines = commands.map(({ text }) => `exec <'${input}'\n${inside(text)}\nprintf '%s' "${separator}$?${separator}"`)
      const { output } = await bash(['exec 2>&1', ...lines].join('\n'), cwd)
      const parts = output.split(separator)
      return commands.map(({ text }, index) => ({
        text,
        code: Number(parts[2 * index + 1] ?? Number.NaN),
        printed: outside(parts[2 * index] ?? '').split('\n'),
      }))
    },
    [Symbol.dispose]: () => stage[Symbol.dispose](),
  }
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.resume()
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

const baseProject = `
git config --global user.name 'A User'
git config --global user.email user@mail.example
git init --quiet -b main .
mkdir src test
echo 'export const sum = (a, b) => a - b' > src/sum.js
echo '// 1 + 1 is 2' > test/sum.test.js
printf 'all test deploy release:\\n\\t@echo $@\\n' > Makefile
echo '{ "name": "project", "private": true, "scripts": { "test": "echo tested" } }' > package.json
echo update-notifier=false > .npmrc
git add .
git commit --quiet -m 'Begin'
`

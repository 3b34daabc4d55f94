import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { becoming, makeStage, paddock, type Ran, type Stage, type Who } from './cli.ts'

/** A stage with a program named like an agent and a shim for it, which is first in PATH. */
export interface ShimStage extends Stage {
  readonly agent: string
  /** The absolute path of the shim. */
  readonly shim: string
  /** The absolute path of the program that the shim starts. */
  readonly real: string
}

/** Makes a stage where `claude` is a script for sh with this text. `install`: false to make no shim. */
export async function makeShimStage(who: Who, script: string, install = true): Promise<ShimStage> {
  const stage = makeStage(who)
  const bin = path.join(stage.root, 'bin')
  const real = path.join(bin, 'claude')
  mkdirSync(bin)
  writeFileSync(real, `#!/bin/sh\n${script}\n`)
  chmodSync(real, 0o755)
  stage.own()
  stage.env['PATH'] = `${bin}:${stage.env['PATH']}`
  if (install) {
    const { code, stderr } = await paddock(stage, ['shim', 'install', 'claude'])
    if (code !== 0) throw new Error(stderr)
  }
  const directory = path.join(stage.root, 'paddock/data/shims')
  stage.env['PATH'] = `${directory}:${stage.env['PATH']}`
  return { ...stage, agent: 'claude', real, shim: path.join(directory, 'claude'), [Symbol.dispose]: () => stage[Symbol.dispose]() }
}

/** Starts a program by its name in PATH, as another program of the stage's user would. */
export function startByName(stage: Stage, name: string, args: readonly string[], { cwd = stage.project } = {}): ChildProcess {
  const [program = '', ...rest] = [...becoming(stage.who), '/usr/bin/env', name, ...args]
  return spawn(program, rest, { cwd, env: stage.env, stdio: 'pipe' })
}

/** Runs a program by its name in PATH to its end. */
export async function runByName(
  stage: Stage,
  name: string,
  args: readonly string[],
  { input = '', cwd = stage.project }: { readonly input?: string; readonly cwd?: string } = {},
): Promise<Ran> {
  const child = startByName(stage, name, args, { cwd })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

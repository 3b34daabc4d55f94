import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { becoming, makeStage, type Stage, startPaddock, type Who } from '../cli.ts'
import { identity, objectsScript, repositoryScript, stateScript, writeUserConfig } from './repository.ts'
import type { Script, Step } from './script.ts'

/** How a script ended in a cell, compared with the same script on the host. */
export interface Comparison {
  /** The steps that succeed on the host. The others are left out on both sides. */
  readonly steps: readonly Step[]
  /** The first step that failed in the cell or beside it. Null if all succeeded. */
  readonly failed: Step | null
  /** What the failed step printed on standard error. */
  readonly why: string
  readonly stderr: string
  readonly code: number | null
  /** The state at the end of all steps. */
  readonly bare: string
  readonly cell: string
  /** Objects and files from before the failed step, or from the start if the states differ, that are nowhere now. */
  readonly lost: readonly string[]
}

interface ShellResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function shell(stage: Stage, cwd: string, script: string): Promise<ShellResult> {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-c', script]
  return output(spawn(program, rest, { cwd, env: { ...stage.env, ...identity, UPSTREAM: path.join(stage.root, 'upstream') } }))
}

async function output(child: ReturnType<typeof spawn>): Promise<ShellResult> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  child.stdin?.end()
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

/** Returns a stage whose project is the repository of a script. `upstream` is a clone beside it, and `template` a copy of the project. */
export async function makeRepository(who: Who, { features, prepare = '' }: Pick<Script, 'features' | 'prepare'>): Promise<Stage> {
  const stage = makeStage(who)
  writeUserConfig(stage)
  mkdirSync(path.join(stage.root, 'sync'))
  // The user makes the directories beside the project too.
  writeFileSync(path.join(stage.root, 'make.sh'), `${repositoryScript(features)}\n${prepare}`)
  stage.own()
  const { code, stderr } = await shell(stage, stage.project, 'sh ../make.sh && cp -a . ../template')
  if (code === 0) return stage
  stage[Symbol.dispose]()
  throw new Error(`cannot make the repository: ${stderr}`)
}

/** Runs a script on the host and in a cell, each time on the same repository at the same place. */
export async function compare(who: Who, script: Script): Promise<Comparison> {
  using stage = await makeRepository(who, script)
  const { root, project } = stage
  const { steps: all, directory = '.' } = script
  // Only a script with this feature starts with an index that does not know the files.
  const refresh = script.features.storage === 'lost' ? ':' : 'git update-index -q --refresh'
  const place = `rm -rf project && cp -a template project && cd project && { ${refresh}; }`
  await shell(stage, root, place)
  const { kept, state } = await runBare(stage, all, directory)
  const steps = kept.map((each) => all[each]).filter((each) => each !== undefined)
  await shell(stage, root, place)
  const { code, stderr, why, failedAt } = await runInCell(stage, steps, directory)
  const cell = (await shell(stage, project, stateScript)).stdout
  const lost = async (): Promise<readonly string[]> => {
    if (failedAt !== null) return lostSince(stage, kept[failedAt] ?? 0, (kept[failedAt] ?? 0) + 1)
    return cell === state || all.length === 0 ? [] : lostSince(stage, 0, all.length)
  }
  return {
    steps,
    failed: failedAt === null ? null : (steps[failedAt] ?? null),
    code,
    why,
    stderr,
    bare: state,
    cell,
    lost: await lost(),
  }
}

/** Returns the objects and files that are nowhere in the project now, though the host has them before one step and before another. */
async function lostSince(stage: Stage, from: number, to: number): Promise<readonly string[]> {
  const objects = async (): Promise<ReadonlySet<string>> => new Set((await shell(stage, stage.project, objectsScript)).stdout.split('\n'))
  // At the same place, because linked work trees contain absolute paths.
  const put = (copy: string): Promise<unknown> => shell(stage, stage.root, `rm -rf project && mv ${copy} project`)
  const now = await objects()
  await put(`at-${from}`)
  const before = await objects()
  await put(`at-${to}`)
  const after = await objects()
  return [...before].filter((each) => after.has(each) && !now.has(each))
}

/** Runs the steps on the host. Returns the indexes of those that succeed, and the state at the end; the others are undone. */
async function runBare(
  stage: Stage,
  steps: readonly Step[],
  directory: string,
): Promise<{ readonly kept: readonly number[]; readonly state: string }> {
  const lines = steps.map(
    ({ command, model }, at) => `cp -a . ../at-${at}
      if ( cd ${directory} && ${model ?? command}
      ) </dev/null >/dev/null 2>&1; then echo ${at}; else cd ..; rm -rf project; cp -a at-${at} project; cd project; fi`,
  )
  const { stdout } = await shell(stage, stage.project, `${lines.join('\n')}\ncp -a . ../at-${lines.length}\necho state\n${stateScript}`)
  const [kept = '', ...state] = stdout.split('state\n')
  return { kept: kept.split('\n').filter(Boolean).map(Number), state: state.join('state\n') }
}

async function runInCell(
  stage: Stage,
  steps: readonly Step[],
  directory: string,
): Promise<{ readonly code: number | null; readonly stderr: string; readonly why: string; readonly failedAt: number | null }> {
  const sync = path.join(stage.root, 'sync')
  const lines = steps.map(({ by, command }, at) =>
    by === 'cell'
      ? `echo step ${at} >&2; ( ${command}\n) || { echo ${at} > ${sync}/failed; exit 3; }`
      : `touch ${sync}/at-${at}; until [ -e ${sync}/done-${at} ]; do sleep 0.02; done; [ ! -s ${sync}/done-${at} ] || { echo ${at} > ${sync}/failed; exit 3; }`,
  )
  const variables = { ...identity, UPSTREAM: path.join(stage.root, 'upstream') }
  const env = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const args = ['run', '--egress', 'off', '--rw', sync, '--ro', variables.UPSTREAM, ...env, '--', 'sh', '-c', lines.join('\n')]
  const child = startPaddock(stage, args, { cwd: path.join(stage.project, directory) })
  const ended = output(child)
  let [hosts, last] = ['', '']
  for (const [at, { by, command }] of steps.entries()) {
    if (by === 'cell') continue
    while (!existsSync(path.join(sync, `at-${at}`)) && child.exitCode === null && child.signalCode === null) await setTimeout(10)
    if (child.exitCode !== null || child.signalCode !== null) break
    const { code, stderr } = await shell(stage, stage.project, command)
    hosts += stderr
    last = stderr
    // Mounts that this has replaced are renewed within milliseconds.
    await setTimeout(50)
    writeFileSync(path.join(sync, `done-${at}.new`), code === 0 ? '' : 'failed')
    await shell(stage, sync, `mv -f done-${at}.new done-${at}`)
  }
  const { code, stderr } = await ended
  const failed = path.join(sync, 'failed')
  const failedAt = existsSync(failed) ? Number(readFileSync(failed, 'utf8')) : null
  const byHost = failedAt !== null && steps[failedAt]?.by === 'host'
  return { code, stderr: hosts + stderr, why: byHost ? last : (stderr.split(/^step \d+\n/m).at(-1) ?? ''), failedAt }
}

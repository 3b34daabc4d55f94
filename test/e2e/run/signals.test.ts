import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesWith, statOf } from '../../../src/system/process-tree.ts'
import { command, everyone, makeStage, paddock, type Stage, startPaddock, underEach } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'

const cases = everyone.flatMap((who) => underEach.map((under) => [who, under] as const))
/** A sleep duration that no other test uses. */
const mark = `${3_000 + (process.pid % 1_000) / 1_000}`

describe.each(cases)('1: the command, as %s under %s', (who, under) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const start = (args: readonly string[]) => {
    const child = startPaddock(stage, args, { under })
    let said = ''
    for (const each of [child.stdout, child.stderr])
      each?.on('data', (chunk) => {
        said += String(chunk)
      })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    return { child, ended, closed, said: () => said }
  }
  const sleeping = (): number => processesRunning('sleep', mark).length

  it('it ends with an error if its state is deleted meanwhile', async () => {
    const { ended, said } = start(['run', '--', 'sh', '-c', 'touch up; until [ -e gone ]; do sleep 0.1; done'])
    await until(() => existsSync(path.join(stage.project, 'up')))
    rmSync(stage.env['PADDOCK_HOME'] ?? '', { recursive: true })
    writeFileSync(path.join(stage.project, 'gone'), '')
    expect(await ended).toBe(125)
    expect(said()).toContain('no such file or directory')
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s ends the cell first, then the command with 130', async (signal) => {
    const { child, ended, said } = start(['run', '--', 'sleep', mark])
    await until(() => sleeping() === 1)
    child.kill(signal)
    expect(await ended).toBe(130)
    expect(sleeping()).toBe(0)
    expect(said()).toMatch(signal === 'SIGINT' ? /paddock: exit 130 \(128 \+ SIGINT\) after/ : /paddock: cancelled after/)
  })

  it('SIGKILL ends what runs in the cell, too', async () => {
    const { child, ended } = start(['run', '--', 'sleep', mark])
    await until(() => sleeping() === 1)
    child.kill('SIGKILL')
    await ended
    await until(() => sleeping() === 0)
  })

  it('the first SIGINT is the program’s, the second asks it to end, the third kills it', async () => {
    const script = `trap 'echo I heard INT' INT; trap 'echo I heard TERM' TERM; echo I am ready; while :; do sleep 0.1; done`
    const { child, ended, said } = start(['run', '--report', 'report.json', '--', 'sh', '-c', script])
    await until(() => said().includes('I am ready'))
    for (const answer of ['I heard INT', 'I heard TERM']) {
      child.kill('SIGINT')
      await until(() => said().includes(answer))
    }
    expect(child.exitCode).toBeNull()
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    const { ending, killLadder } = JSON.parse(readFileSync(path.join(stage.project, 'report.json'), 'utf8'))
    expect([ending, killLadder]).toEqual([{ kind: 'cancelled' }, ['SIGTERM', 'SIGKILL']])
  })

  it('a SIGINT to its whole process group counts once', async () => {
    const [program = '', ...words] = command(
      who,
      ['run', '--quiet', '--', 'sh', '-c', `trap 'echo I heard INT' INT; echo I am ready; while :; do sleep 0.1; done`],
      under,
    )
    const child = spawn(program, words, { cwd: stage.project, env: stage.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await until(() => said.includes('I am ready'))
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await until(() => said.includes('I heard INT'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(child.exitCode).toBeNull()
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    expect(await ended).toBe(130)
  })

  it('SIGTSTP stops all of it, and SIGCONT continues it', async () => {
    // Like a shell that starts a job. SIGTSTP stops no process of a group without a parent in its session (setpgid(2), orphaned groups).
    const job =
      '$| = 1; my $pid = fork; if (!$pid) { setpgrp 0, 0; exec @ARGV } print "pid $pid\\n"; waitpid $pid, 0; print "code ", $? >> 8, "\\n"'
    const shell = spawn('perl', ['-e', job, ...command(who, ['run', '--quiet', '--', 'sleep', mark], under)], {
      cwd: stage.project,
      env: stage.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    shell.stdout.on('data', (chunk) => {
      said += String(chunk)
    })
    await until(() => sleeping() === 1)
    const pid = Number(/pid (\d+)/.exec(said)?.[1])
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number)
    const paddocks = under === 'Node 20' ? [pid, ...own] : [pid]
    process.kill(pid, 'SIGTSTP')
    await until(() => paddocks.every((each) => statOf(each)?.state === 'T'))
    process.kill(pid, 'SIGCONT')
    await until(() => paddocks.every((each) => statOf(each)?.state !== 'T'))
    process.kill(pid, 'SIGTERM')
    await until(() => said.includes('code'))
    expect(said).toContain('code 130')
  })

  it('ends as the program in the cell did, by a signal too', async () => {
    expect((await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'kill -SEGV $$'], { under })).code).toBe(139)
    expect((await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'exit 42'], { under })).code).toBe(42)
  })

  it('reads a descriptor that it inherited', async () => {
    writeFileSync(path.join(stage.project, 'passphrase'), 'correct horse battery staple\n')
    const descriptor = openSync(path.join(stage.project, 'passphrase'), 'r')
    const [program = '', ...words] = command(who, ['vault', 'init', '--passphrase-fd', '3'], under)
    const child = spawn(program, words, { cwd: stage.project, env: stage.env, stdio: ['ignore', 'ignore', 'ignore', descriptor] })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    closeSync(descriptor)
  })

  it('a command without a cell ends with 130 as well', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
      expect((await paddock(stage, ['run', '--quiet', '--', 'true'], { under })).code).toBe(0)
      const { child, ended, said } = start(['audit', 'tail', '--follow'])
      await until(() => said().includes('cell.end'))
      child.kill(signal)
      expect([signal, await ended]).toEqual([signal, 130])
    }
  })

  it('a contest is over when its command has ended: nothing of it prints a line later', async () => {
    const { child, ended, closed, said } = start(['contest', 'run', contestOf(stage)])
    await until(() => sleeping() === 1)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(processesWith('environ', `PADDOCK_HOME=${stage.env['PADDOCK_HOME']}`)).toEqual([])
    await closed
    expect(said()).toMatch(/continues from here[\s\S]*The contest was stopped/)
  })
})

/** Returns a contest with one participant, which sleeps. */
function contestOf(stage: Stage): string {
  const lines = ['schemaVersion: 1', 'name: slow', 'participants:', `  - { name: sleeper, agent: command, command: [sleep, "${mark}"] }`]
  const judge = ['judges:', '  - { name: judge, agent: command, command: [sleep, "1"] }']
  const rubric = ['rubric:', '  dimensions:', '    - { id: rest, weight: 1, description: How well it slept. }']
  stage.put('slow/contest.yaml', [...lines, ...judge, ...rubric, ''].join('\n'))
  stage.put('slow/BRIEF.md', 'Sleep.\n')
  stage.own()
  return path.join(stage.project, 'slow')
}

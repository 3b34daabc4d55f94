import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { both, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'

describe.each(both)('limits and endings, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const reported = async (script: string, args: readonly string[]): Promise<{ code: number | null; report: CellReport }> => {
    const file = path.join(stage.root, 'report.json')
    const ran = await inCell(stage, script, { args: ['--report', file, ...args] })
    return { code: ran.code, report: JSON.parse(readFileSync(file, 'utf8')) }
  }

  it('out of time ends a program that ignores SIGTERM, and what it daemonised', async () => {
    const mark = `${process.pid}.${Date.now() % 100_000}`
    const { code, report } = await reported(
      `trap '' TERM; setsid sh -c "trap '' TERM; exec sleep 77${mark}" & trap '' TERM; sleep 77${mark} & while :; do sleep 0.1; done`,
      ['--timeout', '1s'],
    )
    expect(code).toBe(124)
    expect(report.ending).toEqual({ kind: 'out-of-time' })
    expect(report.killLadder).toEqual(['SIGTERM', 'SIGKILL'])
    expect(processesRunning('sleep', `77${mark}`)).toEqual([])
  })

  it('out of time lets a program clean up first', async () => {
    const { report } = await reported(`trap 'echo clean > cleaned; exit 0' TERM; while :; do sleep 0.05; done`, ['--timeout', '1s'])
    expect(report.killLadder).toEqual(['SIGTERM'])
    expect(readFileSync(path.join(stage.project, 'cleaned'), 'utf8')).toBe('clean\n')
  })

  it('silence is its own ending', async () => {
    const { code, report } = await reported('echo begin; sleep 60', ['--silence', '1s'])
    expect([code, report.ending.kind]).toEqual([124, 'silent'])
  })

  it('exit codes and signals of the agent are passed on', async () => {
    expect((await inCell(stage, 'exit 42')).code).toBe(42)
    expect((await inCell(stage, 'kill -SEGV $$')).code).toBe(139)
    expect((await paddock(stage, ['run', '--quiet', '--', 'no-such-program-at-all'])).code).toBe(127)
    writeFileSync(path.join(stage.project, 'not-executable'), 'x')
    stage.own()
    const denied = await paddock(stage, ['run', '--quiet', '--', './not-executable'])
    expect([126, 127]).toContain(denied.code)
  })

  it('a fork bomb stays in its number of processes', async () => {
    const ran = await inCell(stage, 'for i in $(seq 1 200); do sleep 5 & done; echo after', { args: ['--pids', '40', '--timeout', '20s'] })
    expect(ran.stderr).toMatch(/fork|Resource temporarily unavailable/i)
  })

  it('a file and the tmpfs stay in their size', async () => {
    const { code } = await reported('head -c 3M /dev/zero > big', ['--file-size', '1MiB'])
    expect(code).not.toBe(0)
    expect(Number(execFileSync('stat', ['-c', '%s', path.join(stage.project, 'big')]))).toBeLessThanOrEqual(1024 ** 2)
    const tmp = await inCell(stage, 'head -c 200M /dev/zero > /tmp/big; df --output=size -B1 /tmp | tail -1', {
      args: ['--disk', '128MiB'],
    })
    expect(tmp.stderr).toContain('No space left on device')
    expect(Number(tmp.stdout)).toBeLessThanOrEqual(128 * 1024 ** 2)
  })

  it('disk that is written beyond the limit ends the cell', async () => {
    const { report } = await reported('i=0; while [ $i -lt 400 ]; do head -c 1M /dev/zero > f$i; i=$((i+1)); sleep 0.05; done; sleep 30', [
      '--disk',
      '20MiB',
      '--timeout',
      '40s',
    ])
    expect(report.ending.kind).toBe('out-of-disk')
  })

  it('disk that is written where the host process cannot look ends the cell', async () => {
    const script =
      'mkdir closed; i=0; while [ $i -lt 30 ]; do head -c 1M /dev/zero > closed/f$i; i=$((i+1)); done; chmod 0 closed; sleep 30'
    const { report } = await reported(script, ['--disk', '20MiB', '--timeout', '15s'])
    expect(report.ending.kind).toBe('out-of-disk')
  })

  it('memory for the whole cell is held, or refused with a reason', async () => {
    // It stays after it ate: without a cgroup, the memory is read every so often.
    const eat = `perl -e 'my @a; for (1..40) { push @a, "x" x (16 << 20) } sleep 60; print "ate\\n"'`
    const file = path.join(stage.root, 'report.json')
    const ran = await inCell(stage, eat, { args: ['--memory', '128MiB', '--report', file] })
    expect(ran.stdout).not.toContain('ate')
    if (ran.code === 125) {
      expect(ran.stderr).toMatch(/memory limit cannot be held.*\n {2}hint: .*--allow-degraded memory/)
      const degraded = await inCell(stage, eat, { args: ['--memory', '128MiB', '--allow-degraded', 'memory', '--report', file] })
      expect(degraded.stdout).not.toContain('ate')
      expect(JSON.parse(readFileSync(file, 'utf8')).degraded).toEqual(['memory'])
    } else {
      expect(ran.code).toBe(137)
      const report: CellReport = JSON.parse(readFileSync(file, 'utf8'))
      expect(report.ending).toEqual({ kind: 'out-of-memory' })
      expect(report.limits.find((each) => each.limit === 'memory')?.mechanism).toMatch(/^cgroup/)
    }
  })

  it('kill -9 of Paddock leaves no process, and the next start cleans up the rest', async () => {
    const mark = `${process.pid}.${Date.now() % 100_000}1`
    stage.put('README', 'a project\n')
    stage.own()
    const child = startPaddock(stage, [
      'run',
      '--quiet',
      '--strict-names',
      '--',
      'sh',
      '-c',
      `setsid sleep 88${mark} & sleep 88${mark} & echo up; sleep 88${mark}`,
    ])
    await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()))
    await until(() => processesRunning('sleep', `88${mark}`).length === 3)
    child.kill('SIGKILL')
    await until(() => processesRunning('sleep', `88${mark}`).length === 0)
    expect(execFileSync('ls', ['-A', stage.project]).toString()).toContain('.envrc')
    await inCell(stage, 'true')
    expect(execFileSync('ls', ['-A', stage.project]).toString()).toBe('README\n')
    expect(
      execFileSync('ls', ['-A', path.join(stage.root, 'paddock/state/cells'), path.join(stage.root, 'paddock/state/run')]).toString(),
    ).not.toMatch(/[0-9a-f]{12}/)
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, startPaddock } from '../../support/cli.ts'

describe.each(everyone)('7: paddock run --copy, as %s', (who) => {
  test('shows at the start that the cell sees a copy, also with --dry-run', async () => {
    using stage = makeStage(who)
    stage.put('file', 'text')
    stage.own()
    const sees = `sees ${stage.project} (a copy, rw)`
    expect((await paddock(stage, ['run', '--dry-run', '--copy', '--', 'true'])).stdout).toContain(sees)
    expect((await paddock(stage, ['run', '--dry-run', '--', 'true'])).stdout).toContain(`sees ${stage.project} (rw)`)
    expect((await paddock(stage, ['run', '--copy', '--', 'true'])).stderr).toContain(sees)
  })

  test('prints the id of the copy with --json, and null after the copy is deleted', async () => {
    using stage = makeStage(who)
    stage.put('file', 'text')
    stage.own()
    const run = async (line: string): Promise<{ copy?: string | null }> =>
      JSON.parse((await paddock(stage, ['run', '--copy', '--json', '--quiet', '--', 'sh', '-c', line])).stdout)
    const { copy } = await run('echo new > made')
    expect((await paddock(stage, ['review', copy ?? ''])).stdout).toContain('made')
    expect((await run('true')).copy).toBeNull()
    expect(JSON.parse((await paddock(stage, ['run', '--json', '--', 'true'])).stdout)).not.toHaveProperty('copy')
  })

  test('a program that fails without the dependencies that git ignores leads to --copy-ignored', async () => {
    using stage = makeStage(who)
    stage.put('.gitignore', 'node_modules\n.venv\n')
    stage.put('node_modules/.bin/tape', '#!/bin/sh\n')
    stage.put('.venv/pyvenv.cfg', '')
    stage.put('sub/file', 'text')
    execFileSync('git', ['init', '-q', stage.project])
    stage.own()
    const run = async (args: readonly string[], line: string, cwd = stage.project): Promise<string> =>
      (await paddock(stage, ['run', ...args, '--', 'sh', '-c', line], { cwd })).stderr
    const hint = 'paddock: git ignores node_modules, .venv, so they are not in the copy; to copy ignored files too: --copy-ignored\n'
    expect(await run(['--copy'], 'tape')).toContain(hint)
    expect(await run(['--copy'], 'exit 1', path.join(stage.project, 'sub'))).toContain(hint)
    expect(await run(['--copy'], 'mkdir node_modules; exit 1')).toContain(
      'git ignores .venv, so it is not in the copy; to copy ignored files too: ',
    )
    for (const [args, line] of [
      [['--copy'], 'true'],
      [['--copy', '--copy-ignored'], 'exit 1'],
      [[], 'exit 1'],
    ] as const)
      expect(await run(args, line)).not.toContain('--copy-ignored')
  })

  test('a start that a link prevents names the path in the project, not the one in the copy', async () => {
    using stage = makeStage(who)
    const elsewhere = path.join(stage.root, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, path.join(stage.project, '.vscode'))
    stage.own()
    const { code, stderr } = await paddock(stage, ['run', '--copy', '--rw', elsewhere, '--', 'true'])
    expect([code, stderr]).toEqual([
      125,
      expect.stringContaining(`paddock: UNENFORCEABLE: ${stage.project}/.vscode leads to ${elsewhere}, which`),
    ])
    expect(stderr).not.toContain('/copies/')
  })

  test('one signal ends the copying in the middle of a large file, and nothing is left of the copy', async () => {
    using stage = makeStage(who)
    stage.put('large', '')
    const whole = 2 * 1024 ** 3
    truncateSync(path.join(stage.project, 'large'), whole)
    stage.own()
    const copies = path.join(stage.root, 'paddock/state/copies')
    const made = (): string[] => (existsSync(copies) ? readdirSync(copies).filter((each) => /^[0-9a-f]{8}/.test(each)) : [])
    const taken = (): number => Math.max(0, ...made().map((each) => sizeOf(path.join(copies, each, 'tree/large'))))
    const run = startPaddock(stage, ['run', '--copy', '--', 'true'])
    const ended = new Promise((resolve) => run.once('exit', resolve))
    let [isSent, most] = [false, 0]
    while (run.exitCode === null && run.signalCode === null) {
      most = Math.max(most, taken())
      if (most > 0 && !isSent) isSent = run.kill('SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect([isSent, await ended, made()]).toEqual([true, 130, []])
    expect(most).toBeLessThan(whole)
  })
})

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startGit } from '../../src/git/start-git.ts'
import { hostProgram } from '../../src/system/host-program.ts'

const real = hostProgram('git', process.env['PATH'] ?? '') ?? ''

/** A git in whose repository a `commondir` is there for the first `times` starts, empty as at the moment when a cell makes it. */
function stage(times: number) {
  const root = mkdtempSync(path.join(tmpdir(), 'paddock-git-'))
  const [program, starts] = [path.join(root, 'git'), path.join(root, 'starts')]
  const script = `#!/bin/sh
echo x >> ${starts}
if [ "$(wc -l < ${starts})" -le ${times} ]; then : > ${root}/.git/commondir; else rm -f ${root}/.git/commondir; fi
exec ${real} "$@"
`
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  startGit(real, ['init', '-q', root], {})
  return {
    run: (...args: string[]) => startGit(program, ['-C', root, ...args], {}),
    starts: () => readFileSync(starts, 'utf8').length / 2,
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

test('git that met a commondir at the moment when a cell made it is started again', () => {
  using git = stage(3)
  const { status, stdout } = git.run('rev-parse', '--git-dir')
  expect([status, String(stdout), git.starts()]).toEqual([0, '.git\n', 4])
})

test('a commondir that stays wrong is a failure in the end', () => {
  using git = stage(1000)
  const { status, stderr } = git.run('rev-parse', '--git-dir')
  expect([status, git.starts()]).toEqual([128, 10])
  expect(String(stderr)).toContain('/commondir')
})

test('another failure of git is not repeated', () => {
  using git = stage(0)
  expect([git.run('rev-parse', '--verify', '--quiet', 'nothing').status, git.starts()]).toEqual([1, 1])
  expect([git.run('cat-file', 'blob', 'nothing').status, git.starts()]).toEqual([128, 2])
})

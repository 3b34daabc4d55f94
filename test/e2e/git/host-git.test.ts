import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

const git = (stage: Stage, ...words: string[]): string =>
  String(execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: stage.project }))

test.each(everyone)('5: a commit on the host takes no inert entry of a running cell, as %s', async (who) => {
  using stage = makeStage(who)
  git(stage, 'init', '-q')
  stage.put('file', 'of the user\n')
  stage.own()
  const exclude = path.join(stage.project, '.git/info/exclude')
  const before = readFileSync(exclude)
  const child = startPaddock(stage, ['run', '--', 'sh', '-c', 'echo ready; read -r _'])
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  expect(git(stage, 'status', '--porcelain')).toBe('?? file\n')
  git(stage, 'add', '-A')
  git(stage, 'commit', '-q', '-m', 'first')
  const ended = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  child.stderr?.on('data', (each) => {
    said += String(each)
  })
  child.stdin?.end('go\n')
  expect(await ended).toBe(0)
  expect(said).toContain('no file changed')
  expect(git(stage, 'ls-files')).toBe('file\n')
  expect(git(stage, 'status', '--porcelain')).toBe('')
  expect(readFileSync(exclude)).toEqual(before)
})

test.each(everyone)('5: after a Paddock that was killed, the next one clears the list of ignored files, as %s', async (who) => {
  using stage = makeStage(who)
  git(stage, 'init', '-q')
  stage.put('README', 'a project\n')
  git(stage, 'add', '.')
  stage.own()
  const exclude = path.join(stage.project, '.git/info/exclude')
  const before = readFileSync(exclude)
  const child = startPaddock(stage, ['run', '--strict-names', '--', 'sh', '-c', 'echo ready; sleep 60'])
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
  expect(readFileSync(exclude, 'utf8')).toContain('/.envrc')
  const ran = await paddock(stage, ['run', '--quiet', '--', 'true'])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(readFileSync(exclude)).toEqual(before)
  expect(git(stage, 'status', '--porcelain', '--ignored')).toBe('A  README\n')
})

test.each(everyone)('7: a submodule’s directory as the project has its git in a cell, as %s', async (who) => {
  using stage = makeStage(who)
  const allowed = ['-c', 'protocol.file.allow=always']
  execFileSync('git', ['init', '-q', path.join(stage.root, 'lib')])
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first'], {
    cwd: path.join(stage.root, 'lib'),
  })
  git(stage, 'init', '-q')
  git(stage, ...allowed, 'submodule', '--quiet', 'add', path.join(stage.root, 'lib'), 'lib')
  stage.own()
  const script =
    'git status --short && echo new > file && git add file && git -c user.name=a -c user.email=a@b commit -q -m second && git log --format=%s'
  const ran = await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', script], { cwd: path.join(stage.project, 'lib') })
  expect(ran).toMatchObject({ code: 0, stdout: 'second\nfirst\n' })
})

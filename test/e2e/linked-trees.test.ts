import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inCell, makeStage } from '../support/cli.ts'

test('B16: a cell in the main work tree cannot make a linked one lead elsewhere', async () => {
  using stage = makeStage('user')
  const linked = path.join(stage.root, 'linked')
  const git = (directory: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=x', '-c', 'user.email=x@example.com', '-C', directory, ...args], {
      encoding: 'utf8',
    })
  git(stage.root, 'init', '-q', stage.project)
  git(stage.project, 'commit', '-q', '--allow-empty', '-m', 'first')
  git(stage.project, 'worktree', 'add', '-q', linked)
  stage.own()
  const before = stage.read('.git/worktrees/linked/gitdir')

  const script = `cd .git/worktrees/linked; echo /tmp/x/.git > gitdir; rm -f gitdir; echo /tmp/x/.git > new; mv -f new gitdir; cd ..; mv linked other; rm -rf linked
    cd ../..; git commit -q --allow-empty -m second && git worktree list && git worktree prune && git gc -q && echo works`
  const env = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }
  const args = ['--egress', 'off', ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])]
  const { stdout } = await inCell(stage, script, { args })

  expect(stage.read('.git/worktrees/linked/gitdir')).toBe(before)
  expect(stdout).toMatch(/works\n$/)
  expect(git(stage.project, 'log', '--format=%s')).toBe('second\nfirst\n')
})

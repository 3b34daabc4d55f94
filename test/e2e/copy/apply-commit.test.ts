import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

test.each(everyone)('apply --commit runs nothing that the agent wrote, as %s', async (who) => {
  using stage = makeStage(who)
  const git = repository(stage)
  await inCell(stage, 'echo "touch ran-on-the-host" > check', { args: ['--copy'] })
  await paddock(stage, ['apply', '--commit'])
  expect(existsSync(`${stage.project}/ran-on-the-host`)).toBe(false)
  expect(git('log', '--format=%an').toString()).toBe('A\nA\n')
})

test.each(everyone)('hooks run on request, and no program of the project without, as %s', async (who) => {
  using stage = makeStage(who)
  const git = repository(stage)
  await inCell(stage, 'echo "touch ran-on-the-host" > check; echo x > other', { args: ['--copy'] })
  git('config', 'filter.x.clean', 'sh ./check')
  writeFileSync(`${stage.project}/.git/info/attributes`, 'other filter=x\n')
  stage.own()
  const named = await paddock(stage, ['apply', '--commit'])
  expect(named.stderr).toContain('check (the configuration of git runs it (filter.x.clean))')
  const refused = await paddock(stage, ['apply', '--commit', '--run-later'])
  expect(refused.stderr).toContain('to commit other, git would run a filter (filter.x.clean)')
  expect(existsSync(`${stage.project}/other`)).toBe(false)
  const ran = await paddock(stage, ['apply', '--commit', '--hooks', '--run-later'])
  expect(ran.code, ran.stderr).toBe(0)
  expect(existsSync(`${stage.project}/ran-on-the-host`)).toBe(true)
})

test.each(everyone)('a program of the project does not sign, as %s', async (who) => {
  using stage = makeStage(who)
  const git = repository(stage)
  git('config', 'gpg.program', './check')
  git('config', 'commit.gpgSign', 'true')
  stage.own()
  await inCell(stage, 'echo x > other', { args: ['--copy'] })
  const refused = await paddock(stage, ['apply', '--commit'])
  expect(refused.stderr).toContain('gpg.program')
  expect(existsSync(`${stage.project}/other`)).toBe(false)
  git('config', '--unset', 'gpg.program')
  git('config', 'gpg.format', 'ssh')
  git('config', 'gpg.ssh.defaultKeyCommand', 'make -s key')
  stage.own()
  const command = await paddock(stage, ['apply', '--commit'])
  expect(command.stderr).toContain('gpg.ssh.defaultKeyCommand')
  expect(existsSync(`${stage.project}/other`)).toBe(false)
})

function repository(stage: Stage) {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args])
  writeFileSync(`${stage.home}/.gitconfig`, '[user]\n\tname = A\n\temail = a@host.example\n')
  writeFileSync(`${stage.project}/check`, 'true\n')
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'first')
  writeFileSync(`${stage.project}/.git/hooks/pre-commit`, '#!/bin/sh\nsh ./check\n')
  chmodSync(`${stage.project}/.git/hooks/pre-commit`, 0o755)
  stage.own()
  return git
}

test.each(everyone)('a commit that fails leaves nothing staged, and the next one takes it, as %s', async (who) => {
  using stage = makeStage(who)
  const git = repository(stage)
  stage.put('staged', 'by the user\n')
  git('add', 'staged')
  stage.own()
  await inCell(stage, 'echo x > new; echo more >> check', { args: ['--copy'] })
  // Git has no identity for the commit.
  writeFileSync(`${stage.home}/.gitconfig`, '[user]\n\tuseConfigOnly = true\n')
  const failed = await paddock(stage, ['apply', '--commit', '--run-later'])
  expect(failed.code).toBe(1)
  expect(git('status', '--short').toString().split('\n').sort()).toEqual(['', ' M check', '?? new', 'A  staged'])
  writeFileSync(`${stage.home}/.gitconfig`, '[user]\n\tname = A\n\temail = a@host.example\n')
  stage.own()
  const again = await paddock(stage, ['apply', '--commit', '-m', 'again'])
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('is deleted') as string])
  expect(git('status', '--short').toString()).toBe('A  staged\n')
  expect(git('show', '--format=%s', '--name-only').toString()).toBe('again\n\ncheck\nnew\n')
})

test.each(everyone)('a directory that became a link is committed, and a link that became a directory, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('directory/one', 'one\n')
  stage.put('target/two', 'two\n')
  symlinkSync('target', `${stage.project}/link`)
  const git = repository(stage)
  await inCell(stage, 'rm -r directory link; ln -s target directory; mkdir link; echo three > link/three', { args: ['--copy'] })
  const applied = await paddock(stage, ['apply', '--commit', '--run-later'])
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining('is deleted') as string])
  expect(git('status', '--short').toString()).toBe('')
  expect(git('ls-files').toString()).toBe('check\ndirectory\nlink/three\ntarget/two\n')
})

test.each(everyone)(
  'a Paddock that is killed while it commits leaves the commit and the word in the log to the next, as %s',
  async (who) => {
    using stage = makeStage(who)
    const git = repository(stage)
    const kill =
      '#!/bin/sh\n[ -e "$HOME/killed" ] && exit 0\n: > "$HOME/killed"\nread -r _ _ _ paddock _ < /proc/$PPID/stat\nkill -9 "$paddock"\nexit 1\n'
    writeFileSync(`${stage.project}/.git/hooks/pre-commit`, kill)
    stage.own()
    await inCell(stage, 'echo x > new', { args: ['--copy'] })
    expect((await paddock(stage, ['apply', '--commit', '--hooks', '-m', 'wished'])).signal).toBe('SIGKILL')
    expect(git('log', '--format=%s').toString()).toBe('first\n')
    const review = await paddock(stage, ['review'])
    expect([review.code, review.stderr]).toEqual([0, expect.stringContaining('that was interrupted has been finished') as string])
    expect(git('log', '--format=%s').toString()).toBe('wished\nfirst\n')
    expect(git('status', '--short').toString()).toBe('')
    const log = (await paddock(stage, ['audit', 'tail', '--json'])).stdout
    const events = log.split('\n').filter((each) => each.includes('"copy.applied"'))
    expect(events).toHaveLength(1)
    expect(events[0]).toContain('"paths":["new"],"committed":true,"recovered":true')
  },
)

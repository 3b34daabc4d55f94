import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../support/cli.ts'

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
  stage.own()
  const named = await paddock(stage, ['apply', '--commit'])
  expect(named.stderr).toContain('check (the configuration of git runs it (filter.x.clean))')
  const refused = await paddock(stage, ['apply', '--commit', '--run-later'])
  expect(refused.stderr).toContain('to commit, git would run check of the project (filter.x.clean)')
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

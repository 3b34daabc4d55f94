import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { makeStage, paddock, type Stage } from '../../support/cli.ts'

const asked = async (stage: Stage, ...words: readonly string[]) => {
  const ran = await paddock(stage, ['posture', ...words])
  expect(ran.stderr).toBe('')
  return ran.stdout
}

test('posture explain and compare show what is promised, and what a whole run of verify found', async () => {
  using stage = makeStage('user')
  expect(await asked(stage, 'explain')).toMatch(
    /^L1 .*\n {4}\d+ guarantees.*\n {4}not promised: .*home-absent.*\n {4}never verified here: paddock verify --posture L1$/m,
  )
  expect(await asked(stage, 'compare')).toMatch(/^guarantee +L1 +L2\n/)
  expect(await asked(stage, 'compare')).toMatch(/^home-absent +not promised +not run$/m)
  // Part of a run is not recorded.
  expect((await paddock(stage, ['verify', '--egress', 'off', '--only', 'nothing-inherited'])).code).toBe(0)
  expect(await asked(stage, 'compare')).not.toMatch(/ held/)
})

test('posture advise names what it found in a project, without logins', async () => {
  using stage = makeStage('user')
  stage.put('.env', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n')
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('config', 'user.email', 'me@me.example')
  git('remote', 'add', 'origin', 'https://me:t0ken@git.example/o/r.git')
  for (const each of ['me@me.example', 'you@you.example', 'you@you.example'])
    git('-c', 'user.name=x', '-c', `user.email=${each}`, 'commit', '-q', '--allow-empty', '-m', 'work')
  stage.own()
  const said = await asked(stage, 'advise', '--untrusted', 'a mail', '--repo', 'git.example/o/r=write', '--repo', 'git.example/o/s')
  expect(said).toMatch(/^L3 /)
  expect(said).toContain('Code of others would run: 2 recent commits by you@you.example.')
  expect(said).toContain('The agent reads text of others: a mail, web search of claude, repository git.example/o/r')
  expect(said).toContain('A credential in reach can push to: git.example/o/r.')
  expect(said).toContain('Secrets are in sight: .env')
  expect(said).not.toContain('t0ken')
  expect((await paddock(stage, ['posture', 'advise', 'claud'])).stderr).toMatch(/There is no agent "claud".*\n.*Did you mean claude/)
})

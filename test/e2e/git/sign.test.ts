import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { inCell, isRoot, makeStage, paddock, type Stage } from '../../support/cli.ts'

/** A repository whose user signs with an SSH key. */
function withKey(stage: Stage): (...args: readonly string[]) => string {
  const key = path.join(stage.home, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  writeFileSync(path.join(stage.home, 'allowed'), `ada@host.example ${execFileSync('cat', [`${key}.pub`]).toString()}`)
  writeFileSync(
    path.join(stage.home, '.gitconfig'),
    `[user]\n\tname = Ada\n\temail = ada@host.example\n\tsigningKey = ${key}\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tallowedSignersFile = ${stage.home}/allowed\n[commit]\n\tgpgSign = true\n[init]\n\tdefaultBranch = main\n`,
  )
  stage.own()
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: stage.project, env: stage.env, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    return stdout
  }
  git('init', '-q')
  stage.put('a', '1\n')
  stage.own()
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  return git
}

const off = { args: ['--egress', 'off'] }

/** ssh-keygen refuses to work for a uid that is not in /etc/passwd, such as that of `user` if the tests run as root. */
const who = isRoot ? 'root' : 'user'

describe('paddock sign', () => {
  test('signs the commits of a run with the key of the user, and changes nothing else', async () => {
    using stage = makeStage(who)
    const git = withKey(stage)
    git('commit', '-q', '--no-gpg-sign', '--allow-empty', '-m', 'left unsigned by the user')
    const base = git('rev-parse', 'HEAD')
    const script = `export GIT_AUTHOR_DATE='2001-02-03T04:05:06+0700'; echo 2 > a; git commit -qam 'second

a body  
' --cleanup=verbatim; git switch -qc side HEAD~1; git commit -q --allow-empty --author 'Ünal <u@x.example>' -m side; git switch -q main; git merge -q --no-ff -m merge side; git branch -D side; echo 3 > a; git add a; echo 4 > a`
    const { code, stderr } = await inCell(stage, script, off)
    expect(code, stderr).toBe(0)
    const form = '--format=%T %an %ae %ad %cn %ce %cd %B'
    const [before, status] = [git('log', '--topo-order', form), git('status', '--short')]

    const signed = await paddock(stage, ['sign'])

    expect(signed.code, signed.stderr).toBe(0)
    expect(signed.stderr).toContain('signed 3 commits on main')
    expect(git('log', '--topo-order', '--format=%G? %s')).toBe('G merge\nG side\nG second\nN left unsigned by the user\nG first\n')
    expect(git('log', '--topo-order', form)).toBe(before)
    expect(git('status', '--short')).toBe(status)
    expect(git('rev-parse', 'HEAD~2', 'HEAD^2~1')).toBe(base + base)
    expect((await paddock(stage, ['sign'])).stderr).toContain('no unsigned commit of a run is on main')
    expect((await paddock(stage, ['sign', '--since', 'HEAD~3'])).stderr).toContain('3 of them had a signature')
  })

  test('leaves commits alone that are on a remote branch, and a repository without a key as it was', async () => {
    using stage = makeStage(who)
    const git = withKey(stage)
    await inCell(stage, 'git commit -q --allow-empty -m second', off)
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    const published = await paddock(stage, ['sign'])
    expect(published.code).toBe(2)
    expect(published.stderr).toContain('is on a remote branch already')
    git('update-ref', '-d', 'refs/remotes/origin/main')
    const before = git('rev-parse', 'HEAD')
    git('config', 'user.signingKey', '/nonexistent')
    const failed = await paddock(stage, ['sign'])
    expect(failed.code).toBe(125)
    expect(git('rev-parse', 'HEAD')).toBe(before)
  })

  test('a commit of the user on top is signed again, and other branches are named', async () => {
    using stage = makeStage(who)
    const git = withKey(stage)
    await inCell(stage, 'git commit -q --allow-empty -m second; git branch old', off)
    git('commit', '-q', '--allow-empty', '-m', 'mine')
    const { stderr } = await paddock(stage, ['sign'])
    expect(stderr).toContain('1 of them had a signature')
    expect(stderr).toContain('still contain the unsigned commits: old')
    expect(git('log', '--format=%G? %s')).toBe('G mine\nG second\nG first\n')
  })
})

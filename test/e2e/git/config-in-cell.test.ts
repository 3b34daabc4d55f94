import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

const identity = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }

function onHost(stage: Stage, script: string): string {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  return execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity }, encoding: 'utf8' })
}

/** A repository with a remote, in which `old` has an upstream. */
function makeRepository(stage: Stage): void {
  stage.own()
  onHost(
    stage,
    `git init -qb main .; echo up > .gitignore; git add .; git commit -qm base; git init -q --bare up; git remote add origin "$PWD/up"
    git push -qu origin main; git push -q origin main:theirs; git fetch -q; git branch -q old; git branch -qu origin/main old`,
  )
}

describe.each(everyone)('as %s, git in a cell changes its config', (who) => {
  test.each([
    ['a branch that tracks another', 'git switch -qc t --track origin/theirs'],
    ['a push that sets an upstream', 'git switch -qc f; git push -qu origin f'],
    ['an upstream', 'git switch -qc f; git branch -qu origin/theirs f'],
    ['a deleted branch', 'git branch -qD old'],
    ['a renamed branch', 'git branch -qm old new'],
    ['several at once', 'git branch -qD old; git switch -qc f --track origin/theirs; git branch -qm g; git push -q origin HEAD:g'],
  ])('and the host has the same afterwards: %s', async (_, script) => {
    using outside = makeStage(who)
    makeRepository(outside)
    onHost(outside, script)
    using stage = makeStage(who)
    makeRepository(stage)
    const { code, stderr } = await inCell(stage, script)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('not written') })
    const all = 'git config --list --local; git status -sb; git branch -vv --format="%(refname) %(upstream)"'
    expect(onHost(stage, all).replaceAll(stage.project, '')).toBe(onHost(outside, all).replaceAll(outside.project, ''))
    expect(lstatSync(path.join(stage.project, '.git/config')).isFile()).toBe(true)
    expect(existsSync(path.join(stage.project, '.git/paddock'))).toBe(false)
    onHost(stage, 'git config user.name after')
  })

  test('a branch that is checked out keeps its settings, whatever the cell does to its ref', async () => {
    using stage = makeStage(who)
    makeRepository(stage)
    const before = stage.read('.git/config')
    const script = 'mkdir .git/x; mv .git/refs/heads/main .git/x/; git config --file .git/config --remove-section branch.main'
    const { code } = await inCell(stage, script)
    expect([code, stage.read('.git/config')]).toEqual([0, before])
  })

  test('in a copy, too, and nothing of it reaches the project', async () => {
    using stage = makeStage(who)
    makeRepository(stage)
    const before = stage.read('.git/config')
    const { code, stdout, stderr } = await paddock(stage, [
      'run',
      ...['--copy', '--egress', 'off', '--', 'sh', '-ec'],
      `git branch -qD old; git config user.name Bot; git config user.name; git config user.email b@b; git init -q --bare /tmp/up; git remote add mine /tmp/up
      git switch -qc t; echo 2 > .gitignore; git commit -qam two; git push -qu mine t; git config branch.t.remote`,
    ])
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Bot\nmine\n' })
    expect(stderr).not.toContain('not written')
    expect(stage.read('.git/config')).toBe(before)
    expect(onHost(stage, 'git branch --format="%(refname:short)"')).toBe('main\nold\n')
    const applied = await paddock(stage, ['apply'])
    expect([applied.code, stage.read('.gitignore')], applied.stderr).toEqual([0, '2\n'])
  })

  test('what could run a program or lead elsewhere is left out and named', async () => {
    using stage = makeStage(who)
    makeRepository(stage)
    const before = stage.read('.git/config')
    const { code, stdout, stderr } = await paddock(stage, [
      'run',
      ...['--egress', 'off', '--report', 'report.json', '--', 'sh', '-c'],
      `git config user.name Bot; git config core.fsmonitor 'touch ran'; git remote add evil https://evil.example/x; git remote set-url origin https://evil.example/y
      git config branch.main.remote evil; git config user.name`,
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Bot\n' })
    expect(stage.read('.git/config')).toBe(before)
    expect(stderr).toContain('paddock: not written to .git/config, which your own git obeys: ')
    for (const each of ['user.name=Bot', 'branch.main.remote=evil']) expect(stderr).toContain(each)
    const [config] = JSON.parse(stage.read('report.json')).changes.configs
    expect(config).toMatchObject({ path: '.git/config', written: [] })
    expect(config.left).toEqual(expect.arrayContaining(['core.fsmonitor=touch ran', 'remote.evil.url=https://evil.example/x']))
  })

  test('after kill -9 the next start writes what it would have written', async () => {
    using stage = makeStage(who)
    makeRepository(stage)
    const killed = startPaddock(stage, [
      'run',
      '--egress',
      'off',
      '--',
      'sh',
      '-c',
      'git switch -qc t --track origin/theirs; git config core.pager evil; echo ready; sleep 60',
    ])
    let said = ''
    killed.stdout?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said, { timeout: 20_000 }).toContain('ready')
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('close', resolve))
    const { code, stderr } = await paddock(stage, ['run', '--egress', 'off', '--', 'git', 'status', '-sb'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('core.pager=evil') })
    expect(onHost(stage, 'git status -sb')).toBe('## t...origin/theirs\n')
    expect(onHost(stage, 'git config --list --local')).not.toContain('evil')
    expect(existsSync(path.join(stage.project, '.git/paddock'))).toBe(false)
  })

  test.each([
    ['a link', 'ln -s /etc/passwd config'],
    ['a directory', 'mkdir -p config/deep; chmod 0 config'],
    ['a FIFO', 'mkfifo config'],
    ['a huge file', 'truncate -s 3G config'],
    ['nothing', 'true'],
    ['a repository', 'git init -q --bare .; git config core.fsmonitor evil; mkdir -p hooks; echo evil > hooks/post-commit'],
    ['many files', 'for i in $(seq 300); do echo $i > $i; done; ln -s / link; ln -s ../config config'],
  ])('and leaves %s in its place: the host keeps its config', async (_, script) => {
    using stage = makeStage(who)
    makeRepository(stage)
    const before = stage.read('.git/config')
    const { code } = await inCell(stage, `cd .git/paddock; rm config; ${script}; true`)
    expect(code).toBe(0)
    expect(stage.read('.git/config')).toBe(before)
    expect(readdirSync(path.join(stage.project, '.git')).filter((each) => /paddock|lock|quarantined/.test(each))).toEqual([])
    onHost(stage, 'git config user.name after; git fsck')
  })
})

describe.each(everyone)('as %s, a login in a git configuration', (who) => {
  const secrets = ['glpat-abcdefghij1234567890', 'hunter2hunter2', Buffer.from('x:hunter2hunter2').toString('base64')]
  const logins = `git init -qb main .; git commit -qm base --allow-empty
    git config remote.origin.url https://oauth2:${secrets[0]}@gitlab.example/x/y.git
    git remote add up git@github.com:x/y.git
    git config http.https://github.com/.extraheader "AUTHORIZATION: basic ${secrets[2]}"
    git config url.https://me:${secrets[1]}@h.example/.insteadOf https://h.example/`
  const look =
    'git remote -v; git config --list; git commit -qm more --allow-empty; git switch -qc f --no-track; cat .git/config .git/paddock/* || true'

  test.each([
    ['of a project', '.'],
    ['of a linked work tree', 'linked'],
    ['of a submodule', 'outer/sub'],
  ])('%s is not in the cell, which is reported, and the file stays', async (_, at) => {
    using stage = makeStage(who)
    stage.own()
    onHost(stage, 'mkdir lib; cd lib; git init -qb main .; git commit -qm lib --allow-empty')
    if (at === 'outer/sub')
      onHost(
        stage,
        `mkdir outer; cd outer; git init -qb main .; git -c protocol.file.allow=always submodule -q add ../lib sub; cd sub; ${logins.replace(/^.*\n/, '')}`,
      )
    else onHost(stage, `${logins}; git worktree add -q linked`)
    const file = at === 'outer/sub' ? 'outer/.git/modules/sub/config' : '.git/config'
    const before = stage.read(file)
    const cwd = path.join(stage.project, at)
    const everywhere = `${look}; grep -rahs example ${stage.project}; true`
    const ran = await paddock(stage, ['run', '--rw', stage.project, '--', 'sh', '-c', everywhere], { cwd, env: identity })
    for (const each of secrets) expect([before.includes(each), `${ran.stdout}${ran.stderr}`.includes(each)]).toEqual([true, false])
    expect(ran.stdout).toContain('https://gitlab.example/x/y.git (fetch)')
    expect(ran.stderr).toContain('the cell does not get the logins for gitlab.example, github.com, h.example in')
    expect(ran.stderr).toContain('--repo gitlab.example/OWNER/NAME')
    expect(ran.stderr).not.toContain('not written')
    expect(ran.code).toBe(0)
    const without = (text: string) => text.replace(/\[branch[^[]*/g, '')
    expect(without(stage.read(file))).toBe(without(before))
    for (const each of secrets) expect(stage.read(file)).toContain(each)
  })

  test.each([
    ['a bare repository', 'bare.git', 'git init -q --bare bare.git; cd bare.git'],
    ['a work tree of its own', 'linked', 'git worktree add -q linked; git config extensions.worktreeConfig true; cd linked'],
  ])('of %s is not in the cell', async (_, at, made) => {
    using stage = makeStage(who)
    stage.own()
    const set = at === 'linked' ? 'git config --worktree' : 'git config'
    onHost(
      stage,
      `git init -qb main .; git commit -qm base --allow-empty; ${made}; ${set} http.extraheader "AUTHORIZATION: basic ${secrets[2]}"
      ${set} remote.o.url https://me:${secrets[1]}@h.example/x; cat "$(git rev-parse --git-dir)"/config*`,
    )
    const cwd = path.join(stage.project, at)
    const script =
      'git config --list; cat "$(git rev-parse --git-dir)"/config* "$(git rev-parse --git-common-dir)"/config*; git log -1 --format=%s'
    const ran = await paddock(stage, ['run', '--', 'sh', '-c', script], { cwd })
    for (const each of secrets) expect(`${ran.stdout}${ran.stderr}`).not.toContain(each)
    expect(ran.stdout).toContain('remote.o.url=https://h.example/x')
  })

  test('of a read-only repository is named', async () => {
    using stage = makeStage(who)
    stage.own()
    onHost(stage, `mkdir other; cd other; ${logins}`)
    mkdirSync(path.join(stage.project, 'own'))
    stage.own()
    const args = ['run', '--ro', path.join(stage.project, 'other'), '--', 'true']
    const read = await paddock(stage, args, { cwd: path.join(stage.project, 'own') })
    expect(read.stderr).toContain(`h.example in ${path.join(stage.project, 'other/.git/config')}; take it out of the file, or: --mask`)
    const config = path.join(stage.project, 'other/.git/config')
    const masked = await paddock(stage, [...args.slice(0, 3), '--mask', config, '--', 'cat', config], {
      cwd: path.join(stage.project, 'own'),
    })
    expect(masked.stderr).not.toContain('the cell sees')
    for (const each of secrets) expect(masked.stdout).not.toContain(each)
  })
})

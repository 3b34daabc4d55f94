import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'

const identity = '[init]\n\tdefaultBranch = main\n[user]\n\tname = Ada\n\temail = ada@host.example\n'

/** Makes a repository with one commit in the project. `config`: the user's `~/.gitconfig`. */
function repository(stage: Stage, config: string): (...args: readonly string[]) => string {
  writeFileSync(path.join(stage.home, '.gitconfig'), `${identity}${config}`)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: stage.project,
      env: { ...stage.env, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    })
  git('init', '-q')
  stage.put('a', '1\n')
  git('add', '.')
  git('commit', '-q', '--no-gpg-sign', '--allow-empty', '-m', 'first')
  stage.own()
  return git
}

/** Without the machine's own settings, which differ between machines. */
const env = { GIT_CONFIG_NOSYSTEM: '1' }

describe.each(everyone)('the git of a cell decides as the git of the user (%s)', (who: Who) => {
  test('what is ignored, and how files and messages are written', async () => {
    using stage = makeStage(who)
    writeFileSync(path.join(stage.home, '.ignore'), '*.local\n!.envrc')
    writeFileSync(path.join(stage.home, '.attributes'), '*.txt text eol=crlf\n')
    writeFileSync(path.join(stage.home, '.template'), 'Ticket: \n')
    const git = repository(
      stage,
      '[core]\n\texcludesFile = ~/.ignore\n\tattributesFile = ~/.attributes\n[commit]\n\ttemplate = ~/.template\n[alias]\n\tst = status --short\n\tboom = !id\n[pull]\n\trebase\n',
    )

    const script = `echo s > creds.local; echo t > t.txt; git add -A; git commit -qm x; git st; git boom 2>&1 | head -1
      git config pull.rebase; cat "$(git config commit.template)"; rm t.txt; git checkout t.txt 2>/dev/null; od -c t.txt | head -1`
    const { stdout } = await inCell(stage, script, { env })

    expect(git('show', '--name-only', '--format=%an <%ae>')).toBe('Ada <ada@host.example>\n\nt.txt\n')
    expect(stdout).toMatch(/^git: 'boom' is not a git command.*\n/)
    expect(stdout).toContain('Ticket: ')
    expect(stdout).toMatch(/\\r\s+\\n/)
  })

  test('the default files of patterns and attributes count, and a link from the home', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.home, '.config/git'), { recursive: true })
    mkdirSync(path.join(stage.home, 'dots'))
    writeFileSync(path.join(stage.home, 'dots/ignored'), '*.local\n')
    symlinkSync('../../dots/ignored', path.join(stage.home, '.config/git/ignore'))
    writeFileSync(path.join(stage.home, '.config/git/attributes'), '*.x merge=union\n')
    repository(stage, '')
    const { stdout } = await inCell(stage, 'touch b.local c; git status --short; git check-attr merge d.x', { env })
    expect(stdout).toBe('?? c\nd.x: merge: union\n')
  })

  test('a link to a secret in place of a file of patterns is not read', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.home, 'dots'))
    writeFileSync(path.join(stage.home, 'id_key'), 'THE SECRET\n')
    symlinkSync('../id_key', path.join(stage.home, 'dots/ignore'))
    repository(stage, '[core]\n\texcludesFile = ~/dots/ignore\n')
    const { stdout } = await inCell(stage, 'cat /etc/paddock/gitignore', { env, args: ['--strict-names'] })
    expect(stdout).toContain('/.envrc\n')
    expect(stdout).not.toContain('SECRET')
  })

  test('nothing that runs a program or holds a secret is in the cell', async () => {
    using stage = makeStage(who)
    repository(
      stage,
      `[url "https://me:t0ken@h/"]\n\tinsteadOf = x\n[http]\n\textraHeader = t0ken\n[credential]\n\thelper = t0ken\n[core]\n\teditor = t0ken\n\tpager = t0ken\n\tsshCommand = t0ken\n\tfsmonitor = t0ken
[diff "d"]\n\ttextconv = t0ken\n\txfuncname = ^kept\n[gpg]\n\tprogram = t0ken\n[init]\n\ttemplateDir = t0ken\n[filter "crypt"]\n\tclean = t0ken %f\n[merge "m"]\n\tdriver = t0ken
[alias]\n\ta = fetch https://t0ken\n\tb = -c http.extraHeader=t0ken fetch\n\tc = push t0ken@host:x\n`,
    )
    const { stdout } = await inCell(stage, 'cat /etc/gitconfig; env', { env })
    expect(stdout).toContain('^kept')
    expect(stdout).not.toContain('t0ken')
  })

  test('the identity in variables counts', async () => {
    using stage = makeStage(who)
    const git = repository(stage, '')
    await inCell(stage, 'git commit -q --allow-empty -m x', {
      env: { ...env, GIT_AUTHOR_NAME: 'Bea', GIT_AUTHOR_EMAIL: 'bea@x.example', GIT_COMMITTER_NAME: 'Cy' },
    })
    expect(git('log', '-1', '--format=%an %ae %cn %ce')).toBe('Bea bea@x.example Cy ada@host.example\n')
  })

  test.each(['the user', 'the repository'])('commits are not signed where %s signs, and the start says so', async (whose) => {
    using stage = makeStage(who)
    const signing = '[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = ~/.ssh/none\n'
    const git = repository(stage, whose === 'the user' ? signing : '')
    if (whose === 'the repository') writeFileSync(path.join(stage.project, '.git/config'), `${stage.read('.git/config')}${signing}`)
    const given = ['--env', 'GIT_CONFIG_COUNT=1', '--env', 'GIT_CONFIG_KEY_0=user.name', '--env', 'GIT_CONFIG_VALUE_0=Given']
    const { code, stderr } = await paddock(
      stage,
      ['run', '--egress', 'off', ...given, '--', 'sh', '-c', 'git commit -q --allow-empty -m x && git tag -m t t'],
      { env },
    )
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('commits are not signed in the cell')
    expect(stderr).toContain('paddock sign')
    expect(git('log', '-1', '--format=%s %cn')).toBe('x Given\n')
  })

  test('hooks of the user that do not run are named, and nothing else', async () => {
    using stage = makeStage(who)
    repository(stage, '[core]\n\thooksPath = ~/hooks\n')
    const { stderr } = await paddock(stage, ['run', '--egress', 'off', '--', 'true'], { env })
    expect(stderr).toContain('your git hooks in ~/hooks (core.hooksPath) do not run in the cell')
    repository(stage, '')
    const { stderr: without } = await paddock(stage, ['run', '--egress', 'off', '--', 'true'], { env })
    expect(without).not.toMatch(/hooks|signed|filter/)
  })

  describe('git-lfs', () => {
    beforeEach(({ skip }) => skip(!existsSync('/usr/bin/git-lfs'), 'needs git-lfs: scripts/setup.sh --test'))
    const lfs =
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n'

    test('stores a pointer, and a missing object does not end a checkout half-way', async () => {
      using stage = makeStage(who)
      const git = repository(stage, lfs)
      stage.put('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n')
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`
      stage.put('gone.bin', pointer)
      git('add', '.')
      git('commit', '-qm', 'lfs')
      stage.own()
      const script =
        'head -c 3000 /dev/urandom > b.bin; git add b.bin && git commit -qm y && git switch -q --detach HEAD~2 && git switch -q main'
      const { code, stderr } = await inCell(stage, script, { env, args: ['--egress', 'off'] })
      expect(code, stderr).toBe(0)
      expect(git('show', 'HEAD:b.bin')).toMatch(/^version https:\/\/git-lfs/)
      expect(stage.read('gone.bin')).toBe(pointer)
    })
  })

  test.each(['the user', 'the repository'])(
    'a filter of %s that the cell lacks stops git add, and old files stay usable',
    async (whose) => {
      using stage = makeStage(who)
      const filter = `[filter "rot"]\n\tclean = ${stage.home}/rot\n\tsmudge = ${stage.home}/rot\n`
      writeFileSync(path.join(stage.home, 'rot'), "#!/bin/sh\ntr 'a-z' 'n-za-m'\n", { mode: 0o755 })
      const git = repository(stage, whose === 'the user' ? filter : '')
      if (whose === 'the repository') writeFileSync(path.join(stage.project, '.git/config'), `${stage.read('.git/config')}${filter}`)
      stage.put('.gitattributes', '*.s filter=rot\n')
      stage.put('old.s', 'hello\n')
      git('add', '.')
      git('commit', '-qm', 'filtered')
      stage.own()
      const added = await inCell(stage, 'echo new > new.s; git add -A; echo $?; echo more > a; git commit -qam a; echo $?', { env })
      expect(added.stdout.split('\n')[0]).toBe('128')
      expect(git('ls-files')).not.toContain('new.s')
      expect(git('show', 'HEAD:old.s')).toBe('uryyb\n')
      expect(stage.read('old.s')).toBe('hello\n')
    },
  )

  test('a merge driver that the cell lacks stops a merge before anything changes', async () => {
    using stage = makeStage(who)
    const git = repository(stage, '[merge "mine"]\n\tdriver = mine %O %A %B\n')
    stage.put('.gitattributes', 'a merge=mine\n')
    git('add', '.')
    git('commit', '-qm', 'attributes')
    git('switch', '-qc', 'side')
    stage.put('a', 'side\n')
    git('commit', '-qam', 'side')
    git('switch', '-q', 'main')
    stage.put('a', 'main\n')
    git('commit', '-qam', 'main')
    stage.own()
    const { stdout } = await inCell(stage, 'git merge side; echo $?; git status --short; cat a', { env })
    expect(stdout).not.toMatch(/^0$/m)
    expect(stdout).toMatch(/\nmain\n$/)
    expect(spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-u'], { cwd: stage.project }).stdout.toString()).toBe('')
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, isLab, makeStage, paddock, type Stage } from '../../support/cli.ts'

const always = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' }

function gitIn(stage: Stage, directory: string, ...words: readonly string[]): string {
  const cwd = path.join(stage.root, directory)
  return execFileSync('git', [...words], { cwd, encoding: 'utf8', env: stage.env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Makes a repository `origin` with the submodules `libs/a` (which has the submodule `part`) and `rel`, and clones it as the project. */
function clone(stage: Stage, ...how: readonly string[]): (...words: readonly string[]) => string {
  const settings = '[safe]\n\tdirectory = *\n[protocol "file"]\n\tallow = always\n[user]\n\tname = x\n\temail = x@example.com\n'
  writeFileSync(path.join(stage.home, '.gitconfig'), settings)
  for (const each of ['part', 'lib', 'origin']) {
    gitIn(stage, '.', 'init', '-q', '-b', 'main', each)
    writeFileSync(path.join(stage.root, each, 'file'), 'content\n')
    gitIn(stage, each, 'add', '.')
    gitIn(stage, each, 'commit', '-q', '-m', 'one')
  }
  gitIn(stage, 'lib', 'submodule', '--quiet', 'add', `${stage.root}/part`, 'part')
  gitIn(stage, 'lib', 'commit', '-q', '-m', 'two')
  gitIn(stage, 'origin', 'submodule', '--quiet', 'add', `${stage.root}/lib`, 'libs/a')
  // Relative to the remote, which is the repository itself after the clone.
  gitIn(stage, 'origin', 'config', 'remote.origin.url', `${stage.root}/origin`)
  gitIn(stage, 'origin', 'submodule', '--quiet', 'add', '../part', 'rel')
  gitIn(stage, 'origin', 'commit', '-q', '-m', 'two')
  gitIn(stage, '.', 'clone', '-q', ...how, `${stage.root}/origin`, 'project')
  stage.own()
  return (...words) => gitIn(stage, 'project', ...words)
}

/** Runs a script in a cell that can read the other repositories. */
function run(stage: Stage, script: string, ...more: readonly string[]) {
  const seen = ['part', 'lib', 'origin'].flatMap((each) => ['--ro', path.join(stage.root, each)])
  const variables = Object.entries(always).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  return paddock(stage, ['run', '--egress', 'off', ...seen, ...variables, ...more, '--', 'sh', '-ec', script])
}

const statusOf = (text: string): readonly string[] => text.split('\n').flatMap((each) => /^.[0-9a-f]+ \S+/.exec(each)?.[0] ?? [])
const viewsIn = (directory: string): readonly string[] => readdirSync(directory).filter((each) => each.startsWith('modules.'))

describe.each(everyone)('submodules in a cell (%s)', (who) => {
  test('A1: git submodule update --init --recursive ends as outside, and works on the host and in a later cell', async () => {
    using stage = makeStage(who)
    const git = clone(stage)
    gitIn(stage, '.', 'clone', '-q', `${stage.root}/origin`, 'outside')
    gitIn(stage, 'outside', 'submodule', '--quiet', 'update', '--init', '--recursive')
    const ran = await run(stage, 'git submodule update --init --recursive; git -C libs/a/part log --format=%s')
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('one\n')
    expect(ran.stderr).not.toContain('quarantined')
    const config = (at: string): string =>
      gitIn(stage, at, 'config', '--local', '--get-regexp', '^submodule\\.').split('\n').sort().join('\n')
    expect(config('project')).toBe(config('outside'))
    expect(statusOf(git('submodule', 'status', '--recursive'))).toEqual(
      statusOf(gitIn(stage, 'outside', 'submodule', 'status', '--recursive')),
    )
    expect(git('status', '--porcelain')).toBe('')
    git('submodule', 'update', '--recursive')
    git('submodule', 'foreach', '--recursive', 'git fetch -q && git fsck --no-progress')
    expect(viewsIn(path.join(stage.project, '.git'))).toEqual([])
    const again = await run(stage, 'rm libs/a/file; git submodule update --init --recursive --force; git -C libs/a status --porcelain')
    expect(again.code, again.stderr).toBe(0)
    expect(git('-C', 'libs/a', 'status', '--porcelain')).toBe('')
  })

  test('A1: a submodule that a cell adds beside existing ones is kept, and the existing ones stay protected', async () => {
    using stage = makeStage(who)
    const git = clone(stage)
    git('submodule', '--quiet', 'update', '--init', 'rel')
    stage.own()
    const before = readFileSync(path.join(stage.project, '.git/modules/rel/config'), 'utf8')
    const ran = await run(
      stage,
      `git submodule update --init --recursive
       for each in .git/modules .git/modules/rel .git/modules/rel/hooks
       do if perl -e 'exit !rename shift, ".git/moved"' $each; then exit 1; fi; done
       git config --file .git/modules/rel/config x.y bad; touch .git/modules/rel/hooks/pre-commit; git -C rel config core.fsmonitor bad`,
    )
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(path.join(stage.project, '.git/modules/rel/config'), 'utf8')).toBe(before)
    expect(existsSync(path.join(stage.project, '.git/modules/rel/hooks/pre-commit'))).toBe(false)
    expect(statusOf(git('submodule', 'status', '--recursive')).map((each) => each[0])).toEqual([' ', ' ', ' '])
  })

  test('A1: what a cell puts in place of a submodule runs nothing on the host, not even while it runs', async () => {
    using stage = makeStage(who)
    const git = clone(stage)
    const ran = path.join(stage.root, 'ran')
    const cell = run(
      stage,
      `git init -q x; mkdir -p .git/modules; cp -r x/.git .git/modules/rel
       printf '#!/bin/sh\\ntouch ${ran}\\n' > .git/modules/rel/hooks/post-checkout; chmod +x .git/modules/rel/hooks/*
       git config --file .git/modules/rel/config core.fsmonitor 'touch ${ran}'
       touch made; while ! test -e go; do sleep 0.1; done`,
    )
    while (!existsSync(path.join(stage.project, 'made'))) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(existsSync(path.join(stage.project, '.git/modules/rel'))).toBe(false)
    writeFileSync(path.join(stage.project, 'go'), '')
    const { stderr } = await cell
    expect(stderr).toContain('modules/rel')
    try {
      git('submodule', 'update', '--init')
    } catch {
      // What is left of it is not a repository.
    }
    expect(existsSync(ran)).toBe(false)
  })

  test.each([
    ['in a repository with submodules', 'origin'],
    ['in a repository without any', 'part'],
  ])('git submodule add ends as outside %s', async (_, from) => {
    using stage = makeStage(who)
    const git = clone(stage)
    if (from !== 'origin') {
      rmSync(stage.project, { recursive: true })
      gitIn(stage, '.', 'clone', '-q', `${stage.root}/${from}`, 'project')
      stage.own()
    }
    gitIn(stage, '.', 'clone', '-q', `${stage.root}/${from}`, 'outside')
    const script = `git submodule --quiet update --init --recursive; git submodule --quiet add ${stage.root}/lib new; git submodule --quiet add -b main --name n/x ../lib deep/x
      git submodule --quiet update --recursive; git -c user.name=x -c user.email=x@example.com commit -qm added`
    execFileSync('sh', ['-ec', script], { cwd: path.join(stage.root, 'outside'), env: { ...stage.env, ...always }, stdio: 'pipe' })
    const ran = await run(stage, script)
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toMatch(/they can run on your machine: \.gitmodules.*\(git reads addresses of submodules from it\)/)
    const stateOf = (at: string): unknown => ({
      config: gitIn(stage, at, 'config', '--local', '--get-regexp', '^submodule\\.').split('\n').sort(),
      tree: gitIn(stage, at, 'ls-tree', '-r', 'HEAD'),
      gitmodules: readFileSync(path.join(stage.root, at, '.gitmodules'), 'utf8'),
      status: gitIn(stage, at, 'status', '--porcelain'),
      submodules: statusOf(gitIn(stage, at, 'submodule', 'status')),
    })
    expect(stateOf('project')).toEqual(stateOf('outside'))
    git('submodule', 'update', '--init', '--recursive')
    git('submodule', 'foreach', '--recursive', 'git fetch -q && git fsck --no-progress')
    stage.own()
    const again = await run(stage, 'git submodule update --init --recursive && git submodule status')
    expect(again.code, again.stderr).toBe(0)
  })

  test.each(['sync --recursive', 'set-url rel ../lib'])('git submodule %s ends as outside, or is named', async (words) => {
    using stage = makeStage(who)
    const git = clone(stage)
    git('submodule', '--quiet', 'update', '--init', '--recursive')
    gitIn(stage, '.', 'clone', '-q', `${stage.root}/origin`, 'outside')
    for (const each of ['--quiet update --init --recursive', words]) gitIn(stage, 'outside', 'submodule', ...each.split(' '))
    stage.own()
    const ran = await run(stage, `git submodule ${words}`)
    expect(ran.code, ran.stderr).toBe(0)
    const stateOf = (at: string): unknown => ({
      config: gitIn(stage, at, 'config', '--local', '--list').split('\n').sort(),
      status: gitIn(stage, at, 'status', '--porcelain'),
      submodules: statusOf(gitIn(stage, at, 'submodule', 'status')),
    })
    if (words.startsWith('set-url'))
      expect(ran.stderr).toContain('not written to .git/config, which your own git obeys: submodule.rel.url=')
    else expect(stateOf('project')).toEqual(stateOf('outside'))
  })

  const refused: [string, boolean][] = [
    ['--quiet deinit -f --all', false],
    ['set-url rel ../lib', true],
  ]
  const more: [string, boolean][] = [
    ['deinit rel', false],
    ['deinit libs/a', true],
  ]
  test.each(isLab ? [...refused, ...more] : refused)(
    'git submodule %s is refused before it changes anything (config read-only: %s), and works in a repository of the cell',
    async (words, isReadOnly) => {
      using stage = makeStage(who)
      const git = clone(stage)
      git('submodule', '--quiet', 'update', '--init', '--recursive')
      if (isReadOnly) writeFileSync(path.join(stage.project, '.git/config.lock'), '')
      stage.own()
      const before = [stage.read('.git/config'), stage.read('.gitmodules'), readdirSync(path.join(stage.project, 'rel'))]
      const refused = await run(stage, `git submodule ${words}`)
      expect(refused.code).toBe(128)
      expect(refused.stderr).toContain('files that are read-only in a Paddock cell.\nhint: Nothing was changed. Run it outside the cell.')
      expect([stage.read('.git/config'), stage.read('.gitmodules'), readdirSync(path.join(stage.project, 'rel'))]).toEqual(before)
      expect(git('status', '--porcelain')).toBe('')
      const own = await run(stage, `git clone -q --recurse-submodules ${stage.root}/origin copy; cd copy; git submodule ${words}`)
      expect(own.code, own.stderr).toBe(0)
      rmSync(path.join(stage.project, 'copy'), { recursive: true })
      rmSync(path.join(stage.project, '.git/config.lock'), { force: true })
      git('submodule', ...words.split(' '))
    },
  )

  test('submodules that cannot be registered are named with the command', async () => {
    using stage = makeStage(who)
    const git = clone(stage)
    writeFileSync(path.join(stage.project, '.git/config.lock'), '')
    stage.own()
    const report = path.join(stage.root, 'report.json')
    const ran = await run(stage, 'git submodule --quiet update --init --recursive', '--report', report)
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toContain(
      'new submodules that are not in .git/config: libs/a, rel; to register them: git submodule init -- libs/a rel\n',
    )
    expect(JSON.parse(readFileSync(report, 'utf8')).changes.unregistered).toEqual([
      { workTree: '.', path: 'libs/a' },
      { workTree: '.', path: 'rel' },
    ])
    rmSync(path.join(stage.project, '.git/config.lock'))
    git('submodule', 'init', '--', 'libs/a', 'rel')
    git('submodule', 'update', '--recursive')
  })

  test.each(['ext::touch ran', '--upload-pack=touch ran', 'fd::0', 'ssh://-oProxyCommand=x/y'])(
    'an address that a cell declares does not get into the config if it could run a program: %s',
    async (url) => {
      using stage = makeStage(who)
      const git = clone(stage)
      const { code, stderr } = await run(
        stage,
        `git clone -q ${stage.root}/part x; mkdir -p .git/modules y; mv x/.git .git/modules/y; echo 'gitdir: ../.git/modules/y' > y/.git
        git config -f .git/modules/y/config core.worktree ../../../y
        git config -f .gitmodules submodule.y.path y; git config -f .gitmodules submodule.y.url '${url}'
        git config -f .gitmodules submodule.y.update '!touch ran'`,
      )
      expect(code, stderr).toBe(0)
      expect(stderr).toContain('new submodules that are not in .git/config: y; to register them: git submodule init -- y\n')
      expect(git('config', '--local', '--list')).not.toContain('submodule.y')
    },
  )

  test('A1: git clone --recurse-submodules in a cell works', async () => {
    using stage = makeStage(who)
    clone(stage)
    const ran = await run(stage, `git clone -q --recurse-submodules ${stage.root}/origin copy; git -C copy submodule update --init`)
    expect(ran.code, ran.stderr).toBe(0)
    expect(statusOf(gitIn(stage, 'project/copy', 'submodule', 'status', '--recursive')).map((each) => each[0])).toEqual([' ', ' ', ' '])
  })

  test('A1: submodules of a linked work tree stay, and a cell in it can check out new ones', async () => {
    using stage = makeStage(who)
    const git = clone(stage)
    git('worktree', 'add', '-q', '../tree')
    gitIn(stage, 'tree', 'submodule', '--quiet', 'update', '--init', 'rel')
    stage.own()
    const tree = { ...stage, project: path.join(stage.root, 'tree') }
    const ran = await run(tree, 'git submodule update --init --recursive; git -C rel config core.fsmonitor bad')
    expect(ran.code, ran.stderr).toBe(0)
    expect(gitIn(stage, 'tree/rel', 'config', '--list', '--local')).not.toContain('bad')
    expect(ran.stderr).not.toContain('quarantined')
    expect(statusOf(gitIn(stage, 'tree', 'submodule', 'status', '--recursive')).map((each) => each[0])).toEqual([' ', ' ', ' '])
  })
})

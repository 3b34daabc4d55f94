import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../support/cli.ts'

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
       git config --file .git/modules/rel/config x.y bad; ! touch .git/modules/rel/hooks/pre-commit; git -C rel config core.fsmonitor bad`,
    )
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(path.join(stage.project, '.git/modules/rel/config'), 'utf8')).toBe(before)
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

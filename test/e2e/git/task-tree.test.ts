import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Ran, type Stage, type Who } from '../../support/cli.ts'

/** Runs git on the host as the owner of the tests. */
function git(stage: Stage, ...words: string[]): string {
  const settings = path.join(stage.root, 'gitconfig')
  writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
  return String(execFileSync('git', words, { cwd: stage.project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
}

const tracked = ['.envrc', '.vscode/settings.json', '.claude/settings.json', '.husky/pre-commit', 'pkg/.vscode/tasks.json']

function stageOf(who: Who): Stage {
  const stage = makeStage(who)
  git(stage, 'init', '-q', '-b', 'main')
  git(stage, 'config', 'core.hooksPath', '.husky')
  for (const each of tracked) stage.put(each, '1\n')
  git(stage, 'add', '.')
  git(stage, 'commit', '-q', '-m', 'first')
  stage.own()
  return stage
}

const me = 'set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'
const inTree = (stage: Stage, script: string, options: readonly string[] = []): Promise<Ran> =>
  paddock(stage, ['run', '--worktree', 'x', ...options, '--', 'sh', '-c', me + script])

test.each(everyone)(
  'files that are protected in a project are the agent’s in a work tree, and shown before a merge, as %s',
  async (who) => {
    using stage = stageOf(who)
    const ran = await inTree(
      stage,
      `for each in ${tracked.join(' ')}; do echo 2 > $each; done; echo 2 > mise.toml; mkdir -p .idea lib/.cursor; echo 2 > .idea/a; echo 2 > lib/.cursor/mcp.json
     git mv .envrc lib/.envrc; rm -r .claude; git add -A; git status --porcelain; git commit -qm 'change them'; git status --porcelain; pwd`,
    )
    expect(ran.code, ran.stderr).toBe(0)
    const lines = ran.stdout.trim().split('\n')
    const directory = lines.pop() ?? ''
    expect(lines.map((each) => each.slice(3)).sort()).toEqual(
      [
        '.envrc',
        '.vscode/settings.json',
        '.claude/settings.json',
        '.husky/pre-commit',
        'pkg/.vscode/tasks.json',
        'mise.toml',
        '.idea/a',
        'lib/.cursor/mcp.json',
        'lib/.envrc',
      ].sort(),
    )
    expect(ran.stderr).not.toContain('quarantined')
    expect(readFileSync(path.join(directory, 'lib/.envrc'), 'utf8')).toBe('2\n')
    expect(readFileSync(path.join(directory, '.husky/pre-commit'), 'utf8')).toBe('2\n')

    for (const verb of ['open', 'merge']) {
      const refused = await paddock(stage, ['worktree', verb, 'x'])
      expect([verb, refused.code]).toEqual([verb, verb === 'open' ? 1 : 2])
      for (const each of ['.vscode/settings.json', '.husky/pre-commit', 'mise.toml']) expect(refused.stderr).toContain(each)
    }
    expect(stage.read('.envrc')).toBe('1\n')
    // The same name goes on, and a later checkout of the files is git's.
    const again = await inTree(stage, 'cat .vscode/settings.json; git checkout -q HEAD~1; cat .envrc; git switch -q x; ls -A')
    expect(again.code, again.stderr).toBe(0)
    expect(again.stdout.split('\n')).toEqual(expect.arrayContaining(['2', '1', '.husky', '.idea', 'lib', 'mise.toml']))
    expect(again.stderr).not.toContain('quarantined')
  },
)

test.each(everyone)('what is not committed is named before a work tree is opened, as %s', async (who) => {
  using stage = stageOf(who)
  const ran = await inTree(
    stage,
    'echo 2 > .vscode/tasks.json; echo 2 > .envrc; echo .idea > .gitignore; mkdir .idea; echo 2 > .idea/a; git init -q inner; mkdir inner/.vscode; echo 2 > inner/.vscode/tasks.json',
  )
  expect(ran.code, ran.stderr).toBe(0)
  const refused = await paddock(stage, ['worktree', 'open', 'x'])
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  const listed = refused.stderr.split(', ').map((each) => each.replace(/^.*: /s, ''))
  for (const each of ['.envrc', '.idea/a', '.vscode/tasks.json', 'inner/'])
    expect(
      listed.some((item) => item.startsWith(`${each} (`)),
      refused.stderr,
    ).toBe(true)
})

test.each(everyone)('other trees of the same cell, and a plain run in the work tree, are protected as ever, as %s', async (who) => {
  using stage = stageOf(who)
  const other = path.join(stage.root, 'other')
  mkdirSync(path.join(other, '.vscode'), { recursive: true })
  writeFileSync(path.join(other, '.vscode/settings.json'), '1\n')
  stage.own()
  const ran = await inTree(
    stage,
    `echo 2 > ${other}/.vscode/settings.json || echo refused; mkdir ${other}/pkg; echo 2 > ${other}/pkg/.envrc; echo hook > ${stage.project}/.git/hooks/pre-commit || echo refused; pwd`,
    ['--rw', other],
  )
  const [first, second, directory = ''] = ran.stdout.trim().split('\n')
  expect([first, second], ran.stderr).toEqual(['refused', 'refused'])
  expect(readFileSync(path.join(other, '.vscode/settings.json'), 'utf8')).toBe('1\n')
  expect(existsSync(path.join(other, 'pkg/.envrc'))).toBe(false)
  expect(ran.stderr).toContain('quarantined')
  const plain = await paddock(stage, ['run', '--', 'sh', '-c', 'echo 3 > .vscode/settings.json || echo refused'], { cwd: directory })
  expect(plain.stdout, plain.stderr).toBe('refused\n')
})

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newConfig } from '../../../src/copy/taking/git-directory.ts'
import { lab, scanned, snapshot } from '../lab.ts'

const git = (directory: string, ...args: string[]): string =>
  execFileSync(
    'git',
    [
      '-c',
      'safe.directory=*',
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example',
      '-c',
      'protocol.file.allow=always',
      '-C',
      directory,
      ...args,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )

function repository(directory: string): void {
  mkdirSync(directory, { recursive: true })
  git(directory, 'init', '-q')
  writeFileSync(path.join(directory, '.gitignore'), 'ignored\n')
  writeFileSync(path.join(directory, 'tracked'), 'one')
  git(directory, 'add', '.')
  git(directory, 'commit', '-qm', 'first')
  writeFileSync(path.join(directory, 'tracked'), 'two')
  writeFileSync(path.join(directory, 'untracked'), 'new')
  writeFileSync(path.join(directory, 'ignored'), 'secret')
}

describe('making a copy', () => {
  it('of a repository: tracked and new files as they are, ignored ones by choice, and a history of its own', async () => {
    await using place = await lab()
    repository(place.project)
    utimesSync(path.join(place.project, 'tracked'), 1000, 1000)
    const { place: made, record } = await place.copy()
    expect(snapshot(made.tree)).toEqual({ '.gitignore': '644 ignored\n', tracked: '644 two', untracked: '644 new' })
    expect(lstatSync(path.join(made.tree, 'tracked')).mtimeMs).toBe(1_000_000)
    expect(record.head).toBe(git(place.project, 'rev-parse', 'HEAD').trim())
    expect(git(made.tree, 'status', '--short')).toBe(' M tracked\n?? untracked\n')
    git(made.tree, 'commit', '-qam', 'in the copy')
    expect(git(place.project, 'log', '--format=%s')).toBe('first\n')
    expect(git(place.project, 'fsck', '--full')).toBe('')
    const whole = await place.copy({ ignored: true })
    expect(Object.keys(snapshot(whole.place.tree))).toContain('ignored')
  })

  it('shares no file with the project that could be written through', async () => {
    await using place = await lab()
    repository(place.project)
    const { place: made } = await place.copy()
    const inodes = (root: string) =>
      new Set(execFileSync('find', [root, '-type', 'f', '-printf', '%i\n'], { encoding: 'utf8' }).trim().split('\n'))
    const own = inodes(place.project)
    expect([...inodes(made.tree)].filter((each) => own.has(each))).toEqual([])
  })

  it('of a linked worktree and of submodules', async () => {
    await using place = await lab()
    repository(place.at('library'))
    repository(place.at('main'))
    git(place.at('main'), 'submodule', '--quiet', 'add', place.at('library'), 'sub')
    git(place.at('main'), 'commit', '-qam', 'with a submodule')
    rmSync(place.project, { recursive: true })
    git(place.at('main'), 'worktree', 'add', '-q', '-b', 'side', place.project)
    git(place.project, 'submodule', '--quiet', 'update', '--init')
    writeFileSync(path.join(place.project, 'sub/tracked'), 'changed')
    writeFileSync(path.join(place.project, 'sub/ignored'), 'secret')
    const { place: made, record } = await place.copy()
    expect(record.repositories).toEqual(['', 'sub'])
    expect(git(made.tree, 'branch', '--show-current')).toBe('side\n')
    expect(git(path.join(made.tree, 'sub'), 'status', '--short')).toBe(' M tracked\n')
    expect(existsSync(path.join(made.tree, 'sub/ignored'))).toBe(false)
  })

  it('a .git that leads to another repository is not followed, nor are objects that another one lends', async () => {
    await using place = await lab()
    repository(place.at('private'))
    writeFileSync(path.join(place.project, '.git'), `gitdir: ${place.at('private/.git')}\n`)
    writeFileSync(path.join(place.project, 'file'), 'x')
    const led = await place.copy()
    expect(existsSync(path.join(led.place.tree, '.git'))).toBe(false)
    expect(led.record.notes.join()).toContain('leads elsewhere')
    rmSync(path.join(place.project, '.git'))
    repository(place.project)
    writeFileSync(path.join(place.project, '.git/objects/info/alternates'), `${place.at('private/.git/objects')}\n`)
    const lent = await place.copy()
    expect(existsSync(path.join(lent.place.tree, '.git/objects/info/alternates'))).toBe(false)
    expect(lent.record.notes.join()).toContain('alternates')
  })

  it('takes links as links, follows none, and names what cannot be taken', async () => {
    await using place = await lab()
    mkdirSync(place.at('private'))
    writeFileSync(place.at('private/key'), 'secret')
    symlinkSync(place.at('private'), path.join(place.project, 'directory'))
    symlinkSync(place.at('private/key'), path.join(place.project, 'file'))
    execFileSync('mkfifo', [path.join(place.project, 'pipe')])
    const { place: made, record } = await place.copy()
    expect(snapshot(made.tree)).toEqual({ directory: `link ${place.at('private')}`, file: `link ${place.at('private/key')}` })
    expect(record.skipped).toEqual([{ path: 'pipe', why: 'it is a FIFO' }])
  })

  it('runs nothing that the project, or who worked in the copy, has planted for git', async () => {
    await using place = await lab()
    repository(place.project)
    const marker = place.at('ran')
    const program = place.at('program')
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`)
    chmodSync(program, 0o755)
    const plant = (directory: string): void => {
      const settings = `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${place.at('hooks')}\n\tpager = ${program}\n\tsshCommand = ${program}\n\texcludesFile = /dev/null\n[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}\n[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n\trequired = true\n[alias]\n\tls-files = !${program}\n[credential]\n\thelper = ${program}\n`
      writeFileSync(path.join(directory, '.git/config'), settings, { flag: 'a' })
      writeFileSync(path.join(directory, '.gitattributes'), '* filter=x diff=x\n')
      mkdirSync(path.join(directory, '.git/hooks'), { recursive: true })
      for (const each of ['post-checkout', 'post-index-change', 'pre-commit', 'fsmonitor-watchman'])
        writeFileSync(path.join(directory, '.git/hooks', each), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    }
    mkdirSync(place.at('hooks'))
    writeFileSync(place.at('hooks/post-index-change'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    plant(place.project)
    const copy = await place.copy()
    plant(copy.place.tree)
    repository(path.join(copy.place.tree, 'nested'))
    plant(path.join(copy.place.tree, 'nested'))
    writeFileSync(path.join(copy.place.tree, ':(top)x'), '')
    writeFileSync(path.join(copy.place.tree, ':(exclude)*'), '')
    const { scan } = await scanned(copy)
    expect(scan.changes.map((each) => each.path)).toEqual([
      ':(exclude)*',
      ':(top)x',
      'nested/.gitattributes',
      'nested/.gitignore',
      'nested/tracked',
      'nested/untracked',
    ])
    expect(existsSync(marker)).toBe(false)
    expect(readFileSync(path.join(copy.place.tree, '.git/config'), 'utf8').split('[core]')[1]).not.toContain('fsmonitor')
    // The trap itself works: git in the project triggers it.
    spawnSync('git', ['-c', 'safe.directory=*', '-C', place.project, 'status'])
    expect(existsSync(marker)).toBe(true)
  })

  it('a configuration that is carried over names no program, whatever the old one was', () => {
    const allowed =
      /^(\[core\]|\[extensions\]|\[user\]|\trepositoryformatversion = [01]|\tbare = false|\tlogAllRefUpdates = true|\t(fileMode|ignoreCase|symlinks|precomposeUnicode) = (true|false)|\tautocrlf = (true|false|input)|\teol = (lf|crlf|native)|\tobjectFormat = sha(1|256)|\trefStorage = (files|reftable)|\t(name|email) = "[^"\\\r\n;#]*")$/i
    const word = fc.constantFrom(
      '[core]',
      '[user]',
      '[extensions]',
      '\n',
      ' ',
      '=',
      '"',
      '\\',
      'fsmonitor',
      'hooksPath',
      'name',
      'email',
      'autocrlf',
      'true',
      'x',
      '!sh',
      ';',
      '[filter "a"]',
      'clean',
      '\r',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 40 }).map((each) => each.join('')),
        ),
        (text) => {
          for (const line of newConfig(text).trimEnd().split('\n')) expect(line).toMatch(allowed)
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('comparing a copy', () => {
  it('a file that became a FIFO is left out, not deleted; links that lead out and what runs later are marked', async () => {
    await using place = await lab()
    for (const each of ['a', 'b']) writeFileSync(path.join(place.project, each), each)
    const copy = await place.copy()
    rmSync(path.join(copy.place.tree, 'a'))
    execFileSync('mkfifo', [path.join(copy.place.tree, 'a')])
    symlinkSync('../../etc', path.join(copy.place.tree, 'out'))
    symlinkSync('b', path.join(copy.place.tree, 'in'))
    mkdirSync(path.join(copy.place.tree, 'deep/.vscode'), { recursive: true })
    writeFileSync(path.join(copy.place.tree, 'deep/.vscode/tasks.json'), '{}')
    mkdirSync(path.join(copy.place.tree, 'deep/.git'), { recursive: true })
    writeFileSync(path.join(copy.place.tree, 'deep/.git/config'), '')
    const { scan } = await scanned(copy)
    expect(scan.changes.map((each) => [each.path, each.runsLater !== null])).toEqual([
      ['deep/.vscode/tasks.json', true],
      ['in', false],
      ['out', true],
    ])
    expect(scan.leftOut).toEqual([{ path: 'a', why: 'it is not a regular file' }])
  })
})

it('7: each file that is copied, with those of its git directory, is a step to count', async () => {
  await using place = await lab()
  repository(place.project)
  let steps = 0
  const copy = await place.copy({ onFile: () => steps++ })
  const files = execFileSync('find', [copy.place.tree, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n')
  // The copy's configuration is new, and the list of ignored files is copied twice.
  expect(steps).toBe(files.length - 1 + 1)
  let entries = 0
  await scanned(copy, () => entries++)
  // Three files and .git.
  expect(entries).toBe(4)
})

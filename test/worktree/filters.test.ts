import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { systemPath } from '../../src/system/host-program.ts'
import { type MergedWorktree, mergeWorktree } from '../../src/worktree/merge.ts'
import { type OpenedWorktree, openWorktree } from '../../src/worktree/open-worktree.ts'
import { worktreeState } from '../../src/worktree/state.ts'
import type { WorktreeHost } from '../../src/worktree/worktree-host.ts'
import { pathsBelow } from '../support/real-cell.ts'

let root: string
let project: string
let host: WorktreeHost

const me = ['-c', 'user.name=a', '-c', 'user.email=a@b']
const git = (where: string, ...words: string[]): string => execFileSync('git', [...me, ...words], { cwd: where, encoding: 'utf8' }).trim()
function put(where: string, file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(path.join(where, file)), { recursive: true })
  writeFileSync(path.join(where, file), text)
  chmodSync(path.join(where, file), mode)
}
/** Commits without filters and merge drivers. */
function commit(where: string, message: string): string {
  git(where, '-c', 'core.attributesFile=/dev/null', 'add', '-A')
  git(where, 'commit', '-q', '-m', message)
  return git(where, 'rev-parse', 'HEAD')
}

beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-filters-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
  writeFileSync(path.join(root, 'home/.gitconfig'), '[user]\n\tname = me\n\temail = me@home\n')
  git(project, 'init', '-q', '-b', 'main')
  put(project, 'a.txt', 'one\n')
  commit(project, 'first')
  const env = { PATH: '/usr/bin:/bin', HOME: path.join(root, 'home') }
  host = { paths: pathsBelow(root), env, runLater: rulesOfHost, note: () => undefined }
})
afterEach(() => removeTree(root))

const open = (name = 'fix'): Promise<OpenedWorktree> => openWorktree({ project, name, within: null, copy: [] }, host)
const merge = ({ record }: OpenedWorktree): Promise<MergedWorktree> => mergeWorktree(record, { runLater: true }, host)
const configure = (text: string): void => appendFileSync(path.join(root, 'home/.gitconfig'), text)
const mark = (): string => path.join(root, 'ran')
const hasRun = (): boolean => existsSync(mark())

/** Commands that run files of their working directory, without a word in the command that is such a file. */
const commands: Readonly<Record<string, string>> = {
  'a module of python': 'python3 -m strip',
  'a module of a quoted python': '\\"/usr/bin/python3\\" -m strip',
  'a file without its ending': 'node tools/clean',
  'a file in another directory': 'sh -c \\"cd tools && sh ./clean.sh\\"',
  'a makefile': 'make -s clean',
  'a program of PATH': 'PATH=$PWD/tools:$PATH sh -c clean.sh',
}

/** Writes files for each of the commands, which leave a file `ran`. */
function putPrograms(where: string): void {
  put(where, 'tools/clean.sh', `#!/bin/sh\ntouch ${mark()}\n`, 0o755)
  put(where, 'strip.py', `open("${mark()}", "w")\n`)
  put(where, 'tools/clean.js', `require("fs").writeFileSync("${mark()}", "")\n`)
  put(where, 'Makefile', `clean:\n\ttouch ${mark()}\n`)
}

describe.each(Object.entries(commands))('a filter that runs %s', (_, command) => {
  test('is a command that runs a file of its directory', () => {
    putPrograms(project)
    execFileSync('sh', ['-c', command.replaceAll(String.raw`\"`, '"')], { cwd: project, env: { PATH: systemPath }, stdio: 'ignore' })
    expect(hasRun()).toBe(true)
  })

  test.each(['smudge', 'process'])('does not run as %s for a new work tree, of which nothing is left', async (key) => {
    putPrograms(project)
    put(project, 'data.x', 'x\n')
    put(project, '.gitattributes', '*.x filter=strip\n')
    commit(project, 'programs')
    const before = [git(project, 'for-each-ref'), git(project, 'worktree', 'list')]
    configure(`[filter "strip"]\n\t${key} = "${command}"\n\trequired = true\n`)
    await expect(open()).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
      message: `No work tree was made: to write data.x, git would run a filter (filter.strip.${key}), which may run files of an agent.`,
    })
    expect([hasRun(), git(project, 'for-each-ref'), git(project, 'worktree', 'list')]).toEqual([false, ...before])
  })

  test('does not run for a merge, also if the branch brings the attributes', async () => {
    const opened = await open()
    configure(`[filter "strip"]\n\tsmudge = "${command}"\n\tclean = "${command}"\n`)
    putPrograms(opened.record.directory)
    put(opened.record.directory, 'data.x', 'x\n')
    commit(opened.record.directory, 'programs')
    put(opened.record.directory, '.gitattributes', '*.x filter=strip\n')
    git(opened.record.directory, 'add', '.gitattributes')
    git(opened.record.directory, 'commit', '-q', '-m', 'attributes', '.gitattributes')
    await expect(merge(opened)).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
      message: 'Nothing was merged: to write data.x, git would run a filter (filter.strip.smudge), which may run files of an agent.',
    })
    expect([hasRun(), existsSync(path.join(project, 'data.x'))]).toEqual([false, false])
  })

  test('does not run as a merge driver', async () => {
    putPrograms(project)
    put(project, 'data.x', '1\n2\n3\n4\n5\n')
    put(project, '.gitattributes', '*.x merge=own\n')
    commit(project, 'programs')
    const opened = await open()
    configure(`[merge "own"]\n\tdriver = "${command}"\n`)
    put(opened.record.directory, 'data.x', 'one\n2\n3\n4\n5\n')
    commit(opened.record.directory, 'one')
    put(project, 'data.x', '1\n2\n3\n4\nfive\n')
    const head = commit(project, 'five')
    await expect(merge(opened)).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
      message: 'Nothing was merged: to merge data.x, git would run a merge driver (merge.own.driver), which may run files of an agent.',
    })
    expect([hasRun(), git(project, 'rev-parse', 'HEAD'), git(project, 'status', '--porcelain')]).toEqual([false, head, ''])
  })

  test('does not run when the merge normalizes files', async () => {
    putPrograms(project)
    put(project, 'data.x', '1\n2\n3\n4\n5\n')
    put(project, '.gitattributes', '*.x filter=strip\n')
    commit(project, 'programs')
    const opened = await open()
    configure(`[filter "strip"]\n\tclean = "${command}"\n[merge]\n\trenormalize = true\n`)
    const directory = opened.record.directory
    const plain = ['-c', 'filter.strip.clean=']
    put(directory, 'data.x', 'one\n2\n3\n4\n5\n')
    git(directory, ...plain, 'commit', '-qam', 'one')
    put(project, 'data.x', '1\n2\n3\n4\nfive\n')
    git(project, ...plain, 'commit', '-qam', 'five')
    await merge(opened)
    expect([hasRun(), readFileSync(path.join(project, 'data.x'), 'utf8')]).toEqual([false, 'one\n2\n3\n4\nfive\n'])
  })
})

test.each([
  ['the branch', 'onbranch:fix'],
  ['the git directory', 'gitdir:**/worktrees/**'],
])('a filter that is configured only for %s of the work tree does not run', async (_, condition) => {
  put(project, 'data.x', 'x\n')
  put(project, '.gitattributes', '*.x filter=a=b\n')
  commit(project, 'data')
  put(root, 'home/more', `[filter "a=b"]\n\tsmudge = touch ${mark()}\n`)
  configure(`[includeIf "${condition}"]\n\tpath = ~/more\n`)
  await expect(open()).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining('(filter.a=b.smudge)') })
  expect([hasRun(), git(project, 'branch', '--list', 'fix')]).toEqual([false, ''])
})

test('a branch that was there stays when its files cannot be written', async () => {
  git(project, 'switch', '-q', '-c', 'fix')
  put(project, 'data.x', 'x\n')
  put(project, '.gitattributes', '*.x filter=strip\n')
  const tip = commit(project, 'data')
  git(project, 'switch', '-q', 'main')
  configure(`[filter "strip"]\n\tsmudge = touch ${mark()}\n`)
  await expect(open()).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  expect([git(project, 'rev-parse', 'fix'), hasRun()]).toEqual([tip, false])
  git(root, 'config', '--file', 'home/.gitconfig', '--remove-section', 'filter.strip')
  expect((await open()).isNew).toBe(false)
})

test('filters that change nothing when files are written do not matter', async () => {
  put(project, 'data.x', 'x\n')
  put(project, 'other.y', 'y\n')
  put(project, '.gitattributes', '*.x filter=strip\n*.z filter=unused\n')
  commit(project, 'data')
  configure(`[filter "strip"]\n\tclean = touch ${mark()}\n\tsmudge = cat\n\trequired = true\n[filter "unused"]\n\tsmudge = false\n`)
  const opened = await open()
  const { directory } = opened.record
  expect(readFileSync(path.join(directory, 'data.x'), 'utf8')).toBe('x\n')
  put(directory, 'data.x', 'xx\n')
  git(directory, '-c', 'filter.strip.clean=', 'commit', '-qam', 'two')
  expect(await merge(opened)).toMatchObject({ files: ['data.x'] })
  expect([readFileSync(path.join(project, 'data.x'), 'utf8'), hasRun()]).toEqual(['xx\n', false])
})

test('a merge driver that git does not need does not matter', async () => {
  put(project, '.gitattributes', '*.x merge=own\n')
  commit(project, 'attributes')
  const opened = await open()
  configure(`[merge "own"]\n\tdriver = touch ${mark()}\n`)
  put(opened.record.directory, 'data.x', 'x\n')
  commit(opened.record.directory, 'data')
  put(project, 'b.txt', 'b\n')
  commit(project, 'b')
  expect(await merge(opened)).toMatchObject({ files: ['data.x'] })
  expect(hasRun()).toBe(false)
})

const lfs = [
  '[filter "lfs"]',
  'clean = git-lfs clean -- %f',
  'smudge = git-lfs smudge -- %f',
  'process = git-lfs filter-process',
  'required = true',
].join('\n\t')

test('git-lfs writes the content of its files', async () => {
  configure(`${lfs}\n`)
  const home = { ...process.env, HOME: path.join(root, 'home') }
  const mine = (where: string, ...words: string[]): string =>
    execFileSync('git', words, { cwd: where, encoding: 'utf8', env: home, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  put(project, '.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n')
  put(project, 'a.bin', 'large\n')
  mine(project, 'add', '.')
  mine(project, 'commit', '-q', '-m', 'lfs')
  expect(mine(project, 'show', 'HEAD:a.bin')).toMatch(/^version https:\/\/git-lfs/)
  const opened = await open()
  const { directory } = opened.record
  expect(readFileSync(path.join(directory, 'a.bin'), 'utf8')).toBe('large\n')
  put(directory, 'a.bin', 'larger\n')
  mine(directory, 'commit', '-qam', 'larger')
  expect(await merge(opened)).toMatchObject({ files: ['a.bin'] })
  expect([readFileSync(path.join(project, 'a.bin'), 'utf8'), mine(project, 'status', '--porcelain')]).toEqual(['larger\n', ''])
  // A transfer agent is a further command of git-lfs.
  configure(`[lfs "customtransfer.own"]\n\tpath = sh\n\targs = ./evil\n`)
  await expect(open('other')).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining('a.bin') })
})

test('pointers that the user keeps stay pointers', async () => {
  configure(`${lfs.replace('smudge --', 'smudge --skip --').replace('filter-process', 'filter-process --skip')}\n`)
  put(project, '.gitattributes', '*.bin filter=lfs -text\n')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 7\n`
  put(project, 'a.bin', pointer)
  commit(project, 'pointer')
  const { record } = await open()
  expect(readFileSync(path.join(record.directory, 'a.bin'), 'utf8')).toBe(pointer)
  expect((await worktreeState(record, host)).uncommitted).toEqual([])
})

test.each(['gpg.program', 'gpg.openpgp.program'])('a program of the project does not sign a merge (%s)', async (key) => {
  put(project, 'tools/gpg', `#!/bin/sh\ntouch ${mark()}\nexit 1\n`, 0o755)
  commit(project, 'tool')
  const opened = await open()
  put(opened.record.directory, 'b.txt', 'b\n')
  commit(opened.record.directory, 'b')
  put(project, 'c.txt', 'c\n')
  commit(project, 'c')
  git(project, 'config', key, path.join(project, 'tools/gpg'))
  git(project, 'config', 'commit.gpgSign', 'true')
  await expect(merge(opened)).rejects.toMatchObject({
    code: 'NOT_ALLOWED',
    message: expect.stringContaining(`tools/gpg of the project (${key})`),
  })
  git(project, 'config', '--unset', key)
  git(project, 'config', 'gpg.format', 'ssh')
  git(project, 'config', 'gpg.ssh.defaultKeyCommand', `touch ${mark()}`)
  await expect(merge(opened)).rejects.toMatchObject({ message: expect.stringContaining('gpg.ssh.defaultKeyCommand') })
  expect(hasRun()).toBe(false)
})

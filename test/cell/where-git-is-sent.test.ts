import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentsOnMachine } from '../../src/adapters/agent-facts.ts'
import { inspectMachine } from '../../src/cell/plan/machine-facts.ts'
import type { CellReport } from '../../src/cell/report.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { plainSpec, realCells } from '../support/real-cell.ts'

let root: string
let project: string
let home: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-git-sent-')
  project = path.join(root, 'project')
  home = path.join(root, 'home')
  put('project/.git/HEAD', 'ref: refs/heads/main\n')
  for (const each of ['project/.git/objects', 'project/.git/refs', 'home']) mkdirSync(path.join(root, each), { recursive: true })
})
afterEach(() => removeTree(root))

function put(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), content)
}

async function inCell(script: string, env: Record<string, string> = {}, during: () => void = () => undefined): Promise<CellReport> {
  const paths = {
    config: `${root}/config`,
    state: `${root}/state`,
    data: `${root}/data`,
    cache: `${root}/cache`,
    userHome: home,
    userName: 'tester',
  }
  const machine = inspectMachine({ PATH: '/usr/bin:/bin', HOME: home, ...env }, paths, agentsOnMachine)
  const cell = await realCells(paths, { machine })(plainSpec(project, ['sh', '-c', `echo in; read -r _; ${script}`]), { stdin: 'pipe' })
  cell.stderr.resume()
  await new Promise((resolve) => cell.stdout.once('data', resolve))
  during()
  cell.stdin?.end('go\n')
  return cell.done
}

/** Returns a script with every way in which a program that can write next to a file could create that file. */
function write(file: string): string {
  const put = `mkdir -p ${path.posix.dirname(file)}; echo bad > ${file}`
  const names = file.split('/')
  const above = names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
  return [put, ...above.flatMap((each) => [`mv ${each} moved-${each.replaceAll('/', '-')}`, put, `rm -rf ${each}`, put]), 'true'].join('; ')
}

async function notWritten(file: string, env: Record<string, string> = {}): Promise<void> {
  // Across mounts, mv copies.
  const names = (): string[] =>
    readdirSync(project)
      .filter((each) => !each.startsWith('moved-'))
      .sort()
  const before = names()
  await inCell(write(file), env)
  const at = path.join(project, file)
  expect([file, existsSync(at) && readFileSync(at, 'utf8') === 'bad\n']).toEqual([file, false])
  expect(names()).toEqual(before)
}

describe('a place that the repository’s config names is read-only, however it is written', () => {
  test.each([
    'hooksPath = .githooks # ours',
    'hooksPath = .githooks ; ours',
    'hooksPath = ."githooks"',
    'hooksPath = ".githooks" # ours',
    'HOOKSPATH=".git\\\nhooks"',
    'hooksPath = "./x/../.githooks"',
    'hooksPath = ~/../project/.githooks',
    'hooksPath = ~tester/../project/.githooks',
    'x = y\n[core "more"]\n[CORE]hookspath=.githooks\r',
    'hooksPath = :(optional).githooks',
    'hooksPath = ROOT/project/.githooks',
  ])('%j', async (line) => {
    put('project/.git/config', `[core]\n\t${line.replace('ROOT', root)}\n`)
    await notWritten('.githooks/pre-commit')
  })

  test('where it is an included file', async () => {
    put('project/.git/config', '[include]\n\tpath = "../shared.inc" # ours\n[includeIf "onbranch:x"]\n\tpath = ~/../project/other.inc\n')
    put('project/shared.inc', '[include]\n\tpath = deep/er.inc\n')
    await notWritten('shared.inc')
    await notWritten('other.inc')
    await notWritten('deep/er.inc')
  })

  test('where parts of it are missing, one of them a file, or in the git directory', async () => {
    put('project/.git/config', '[core]\n\thooksPath = dev/hk\n')
    await notWritten('dev/hk/pre-commit')
    put('project/dev', 'a file')
    await inCell(write('dev/hk/pre-commit'))
    expect(readFileSync(path.join(project, 'dev'), 'utf8')).toBe('a file')
    put('project/.git/config', '[core]\n\thooksPath = .git/team/hooks\n[include]\n\tpath = own/more.inc\n')
    await notWritten('.git/team/hooks/pre-commit')
    await notWritten('.git/own/more.inc')
    expect(readdirSync(path.join(project, '.git'))).not.toContain('team')
  })

  test('where a directory of it is there and holds nothing', async () => {
    mkdirSync(path.join(project, 'dev'))
    put('project/.git/config', '[core]\n\thooksPath = dev/hk\n')
    await notWritten('dev/hk/pre-commit')
  })

  test('in a nested repository, and in a submodule, by its own work tree', async () => {
    for (const each of ['sub/.git', '.git/modules/lib']) {
      put(`project/${each}/HEAD`, 'ref: refs/heads/main\n')
      for (const part of ['objects', 'refs']) mkdirSync(path.join(project, each, part), { recursive: true })
    }
    put('project/sub/.git/config', '[core]\n\thooksPath = .githooks\n')
    put('project/lib/.git', 'gitdir: ../.git/modules/lib\n')
    put(
      'project/.git/modules/lib/config',
      '[core]\n\thooksPath = team/hooks\n\tworktree = ../../../lib\n[include]\n\tpath = ../../../lib/x.inc\n',
    )
    await notWritten('sub/.githooks/pre-commit')
    await notWritten('lib/team/hooks/pre-commit')
    await notWritten('lib/x.inc')
  })

  test('in a directory that is read-only as a whole, whatever else is protected there', async () => {
    put('project/tools/deep/.envrc', 'mine')
    put('project/.git/config', '[core]\n\thooksPath = tools\n')
    await notWritten('tools/deep/pre-commit')
  })
})

describe('so is one that the user’s or the machine’s configuration names', () => {
  test('by files that ~/.gitconfig includes', async () => {
    put('home/.gitconfig', '[include]\n\tpath = ~/extra.inc\n')
    put('home/extra.inc', '[core]\n\thooksPath = .githooks\n')
    await notWritten('.githooks/pre-commit')
  })

  test('through a link, as collections of such files are made', async () => {
    put('elsewhere/gitconfig', '[core]\n\thooksPath = .githooks\n')
    symlinkSync(`${root}/elsewhere/gitconfig`, `${home}/.gitconfig`)
    await notWritten('.githooks/pre-commit')
  })

  test('and the file itself, if it is in the project', async () => {
    put('project/dots/gitconfig', '[user]\n')
    symlinkSync(`${project}/dots/gitconfig`, `${home}/.gitconfig`)
    await notWritten('dots/gitconfig')
  })

  test.each([
    ['XDG_CONFIG_HOME', 'xdg', 'xdg/git/config'],
    ['GIT_CONFIG_GLOBAL', 'own.inc', 'own.inc'],
    ['GIT_CONFIG_SYSTEM', 'system.inc', 'system.inc'],
  ])('by %s', async (name, value, file) => {
    put(file, '[core]\n\thooksPath = .githooks # ours\n')
    await notWritten('.githooks/pre-commit', { [name]: path.join(root, value) })
  })

  test('only by variables', async () => {
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'Core.hooksPath', GIT_CONFIG_VALUE_0: '.githooks' }
    await notWritten('.githooks/pre-commit', env)
  })
})

describe('no cell starts', () => {
  test.each([
    ['a value that git does not understand', 'home/.gitconfig', '[core]\n\thooksPath = "x\n', 'line 2'],
    ['one of the repository', 'project/.git/config', '[core]\n\thooksPath = \\x\n', 'line 2'],
    ['one of an included file', 'project/.git/config', '[include]\n\tpath = more\n', 'line 1'],
    ['hooks in the project itself', 'project/.git/config', '[core]\n\thooksPath = .\n', 'core.hooksPath'],
  ])('with %s', async (_, file, content, said) => {
    put('project/.git/more', '[core\n')
    put(file, content)
    await expect(inCell('true')).rejects.toMatchObject({ code: 'UNENFORCEABLE', message: expect.stringContaining(said) })
  })

  test('but with one of a nested repository: git runs nothing there', async () => {
    put('project/sub/.git/HEAD', 'ref: refs/heads/main\n')
    for (const each of ['objects', 'refs']) mkdirSync(path.join(project, 'sub/.git', each))
    put('project/sub/.git/config', '[core\n\thooksPath = .githooks\n')
    await notWritten('sub/.githooks/pre-commit')
  })
})

test('a file that was newly made there by the end, by either racer, is quarantined', async () => {
  mkdirSync(path.join(project, 'dev'))
  put('project/.git/config', '[core]\n\thooksPath = dev/hk\n')
  // As if a mount had failed.
  const report = await inCell('true', {}, () => {
    renameSync(path.join(project, 'dev'), path.join(project, 'gone'))
    put('project/dev/hk/pre-commit', 'bad')
  })
  expect(report.changes?.quarantined).toContainEqual({ path: 'dev/hk', movedTo: 'dev/hk.quarantined' })
})

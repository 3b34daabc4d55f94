import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'

function gitOf(stage: Stage): (...args: readonly string[]) => string {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
  return (...args) =>
    execFileSync('git', ['-c', 'safe.directory=*', ...identity, ...args], { cwd: stage.root, encoding: 'utf8', env: stage.env })
}

const run = (stage: Stage, args: readonly string[], ...command: readonly string[]) =>
  paddock(stage, ['run', '--egress', 'off', ...args, '--', ...command])

describe.each(everyone)('places outside of the project that it uses (%s)', (who: Who) => {
  test.each([['--shared'], ['--reference', 'first/.git']])(
    'objects of git clone %s: the start names the option that gives them',
    async (...how) => {
      using stage = makeStage(who)
      const git = gitOf(stage)
      git('init', '-q', 'first')
      git('-C', 'first', 'commit', '-q', '--allow-empty', '-m', 'first')
      git('clone', '-q', ...how, 'first', stage.project)
      stage.own()
      const objects = path.join(stage.root, 'first/.git/objects')
      const { stderr } = await run(stage, [], 'git', 'log', '--format=%s')
      expect(stderr).toContain(`git objects of this repository are in ${objects}, which the cell does not have: --ro ${objects}`)
      const given = await run(stage, ['--ro', objects], 'git', 'log', '--format=%s')
      expect(given.stdout, given.stderr).toBe('first\n')
      expect(given.stderr).not.toContain('does not have')
    },
  )

  test('a separate git directory: the start names the options', async () => {
    using stage = makeStage(who)
    const git = gitOf(stage)
    const directory = path.join(stage.root, 'separate')
    git('init', '-q', '--separate-git-dir', directory, stage.project)
    git('-C', stage.project, 'commit', '-q', '--allow-empty', '-m', 'first')
    stage.own()
    expect((await run(stage, [], 'true')).stderr).toContain(`the git directory is ${directory}: --ro ${directory}, or --rw`)
    const read = await run(stage, ['--ro', directory], 'git', 'log', '--format=%s')
    expect(read.stdout, read.stderr).toBe('first\n')
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
    const written = await run(stage, ['--rw', directory], 'git', ...identity, 'commit', '-q', '--allow-empty', '-m', 'second')
    expect(written.code, written.stderr).toBe(0)
  })

  test.each([
    ['.git/hooks', ''],
    ['.husky/_', 'core.hooksPath'],
  ])('a program of a git hook in %s: the start names it and the option that gives it', async (directory, setting) => {
    using stage = makeStage(who)
    const git = gitOf(stage)
    git('init', '-q', stage.project)
    if (setting !== '') git('-C', stage.project, 'config', setting, directory)
    const [venv, python] = [path.join(stage.root, 'venv'), path.join(stage.root, 'venv/bin/python')]
    mkdirSync(path.dirname(python), { recursive: true })
    writeFileSync(python, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    stage.put(`${directory}/pre-commit`, `#!/bin/sh\nINSTALL_PYTHON=${python}\nexec "$INSTALL_PYTHON" -mpre_commit\n`)
    stage.own()
    const { stderr } = await run(stage, [], 'true')
    expect(stderr).toContain(`the git hook pre-commit uses ${python}, which the cell does not have: --ro ${venv}`)
    expect((await run(stage, ['--ro', venv], 'true')).stderr).not.toContain('git hook')
  })

  test('a moved work tree: the start names the command that repairs it', async () => {
    using stage = makeStage(who)
    const git = gitOf(stage)
    git('init', '-q', 'first')
    git('-C', 'first', 'commit', '-q', '--allow-empty', '-m', 'first')
    git('-C', 'first', 'worktree', 'add', '-q', '../tree')
    execFileSync('sh', ['-c', 'rmdir project; mv tree project'], { cwd: stage.root })
    stage.own()
    expect((await run(stage, [], 'true')).stderr).toContain('run: git worktree repair')
  })

  test('links out of the project, in it and in its directories', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.root, 'store/left'), { recursive: true })
    mkdirSync(path.join(stage.home, '.keys'))
    stage.put('deep/file', '')
    writeFileSync(path.join(stage.root, 'store/left/index.js'), '')
    for (const [target, link] of [
      [path.join(stage.root, 'store'), 'node_modules'],
      [path.join(stage.root, 'store/left'), 'deep/left'],
      ['/usr/bin/env', 'deep/env'],
      ['file', 'deep/inside'],
      ['/nonexistent', 'dangling'],
      [path.join(stage.home, '.keys'), 'keys'],
    ] as const)
      symlinkSync(target, path.join(stage.project, link))
    stage.own()
    const { stderr } = await run(stage, [], 'true')
    const store = path.join(stage.root, 'store')
    expect(stderr.split('\n').filter((each) => each.includes('leads to'))).toEqual([
      `paddock: keys leads to ${stage.home}/.keys, which the cell does not have`,
      `paddock: node_modules leads to ${store}, which the cell does not have: --ro ${store}`,
      `paddock: deep/left leads to ${store}/left, which the cell does not have: --ro ${store}/left`,
    ])
    expect((await run(stage, ['--ro', store], 'ls', 'node_modules')).stdout).toBe('left\n')
  })

  test('links and package files at any depth', async () => {
    using stage = makeStage(who)
    const outside = (...parts: readonly string[]): string => {
      const directory = path.join(stage.root, ...parts)
      mkdirSync(directory, { recursive: true })
      return directory
    }
    const link = (target: string, at: string): void => {
      mkdirSync(path.dirname(path.join(stage.project, at)), { recursive: true })
      symlinkSync(target, path.join(stage.project, at))
    }
    // pnpm with a global virtual store, and one package in a scope.
    const store = outside('home/.local/share/pnpm/store/v10/links')
    link(outside('home/.local/share/pnpm/store/v10/links/@/left/1.0.0/abc/node_modules/left'), 'node_modules/left')
    link(outside('home/.local/share/pnpm/store/v10/links/@own/right/1.0.0/abc/node_modules/@own/right'), 'node_modules/@own/right')
    // A member of a workspace that is elsewhere, and one that is here.
    link(outside('elsewhere/member'), 'a/b/c/node_modules/@scope/member')
    link('../../../../d', 'a/b/c/node_modules/@scope/inside')
    link('../../../../../deep', 'a/b/c/d/deep')
    outside('deep')
    stage.put(
      'go/go.mod',
      'module x\n\nreplace (\n\tx.example/y => ../../other\n\tx.example/z v1 => x.example/w v2\n\tx.example/i => ../d\n)\n',
    )
    outside('other')
    stage.own()
    const { stderr } = await run(stage, [], 'true')
    const leads = (from: string, to: string): string => `paddock: ${from} ${to}, which the cell does not have: --ro ${to}`
    expect(stderr.split('\n').filter((each) => each.includes('which the cell does not have'))).toEqual([
      leads('a/b/c/d/deep leads to', path.join(stage.root, 'deep')),
      leads('node_modules leads to', store),
      leads('a/b/c/node_modules/@scope/member leads to', path.join(stage.root, 'elsewhere/member')),
      leads('go/go.mod uses', path.join(stage.root, 'other')),
    ])
    const given = await run(stage, ['--ro', store], 'ls', '-d', 'node_modules/left/.', 'node_modules/@own/right/.')
    expect([given.code, given.stderr.includes('node_modules leads')], given.stderr).toEqual([0, false])
  })

  test.each([
    [
      'bun with a global store',
      '.bun/install/cache/links',
      'left@1.0.0-ab',
      'node_modules/.bun/left@1.0.0',
      'right@1-cd',
      'node_modules/.bun/right@1',
    ],
    ['bun with links', '.bun/install/cache', 'left@1/a.js', 'node_modules/left/a.js', 'right@1/a.js', 'node_modules/right/a.js'],
    [
      'uv with links',
      '.cache/uv/archive-v0',
      'ab/six.py',
      '.venv/lib/python3.11/site-packages/six.py',
      'cd/x/a',
      '.venv/lib/python3.11/site-packages/x/a',
    ],
  ])('%s: the store is named, and usable with the option', async (_, place, ...pairs) => {
    using stage = makeStage(who)
    const store = path.join(stage.home, place)
    for (const [to = '', from = ''] of [pairs.slice(0, 2), pairs.slice(2)]) {
      stage.put(from, '')
      rmSync(path.join(stage.project, from))
      mkdirSync(path.dirname(path.join(store, to)), { recursive: true })
      writeFileSync(path.join(store, to), 'content\n')
      symlinkSync(path.join(store, to), path.join(stage.project, from))
    }
    stage.own()
    const directory = pairs[1]?.split('/')[0]
    expect((await run(stage, [], 'true')).stderr).toContain(
      `paddock: ${directory} leads to ${store}, which the cell does not have: --ro ${store}\n`,
    )
    const given = await run(stage, ['--ro', store], 'cat', pairs[1] ?? '')
    expect([given.stdout, given.stderr.includes('does not have')]).toEqual(['content\n', false])
  })

  /** Makes a global virtual store of pnpm with one package, to which the project leads. Returns the directory of the packages. */
  const makeStore = (stage: Stage, listed: string): string => {
    const store = path.join(stage.home, '.local/share/pnpm/store/v11')
    const left = path.join(store, 'links/@/left/1.0.0/abc/node_modules/left')
    for (const each of [left, `${store}/files/a0`, `${store}/projects`, `${stage.project}/node_modules`])
      mkdirSync(each, { recursive: true })
    writeFileSync(`${left}/index.js`, 'module.exports = 42\n')
    symlinkSync(listed, `${store}/projects/0123`)
    symlinkSync(left, `${stage.project}/node_modules/left`)
    stage.own()
    return `${store}/links`
  }

  test('a store of pnpm that lists the project is in the cell, read-only', async () => {
    using stage = makeStage(who)
    const store = makeStore(stage, stage.project)
    const script = 'cat node_modules/left/index.js; ls node_modules/left/../../../../../../..; echo x >> node_modules/left/index.js'
    const ran = await run(stage, [], 'sh', '-c', script)
    expect(ran.stdout).toBe('module.exports = 42\nlinks\n')
    expect(ran.stderr).toContain('Read-only file system')
    expect(ran.stderr).not.toContain('does not have')
    expect(ran.stderr).toContain(`node_modules uses the store ${store}, which the cell can only read: install new packages on your machine`)
    expect((await run(stage, ['--dry-run'], 'true')).stdout).toMatch(new RegExp(`^ +ro +${store} +\\[toolchain\\]$`, 'm'))
  })

  test.each([
    ['that does not list the project', (stage: Stage) => makeStore(stage, path.join(stage.root, 'other'))],
    [
      'that others can write to',
      (stage: Stage) => {
        const store = makeStore(stage, stage.project)
        chmodSync(path.dirname(store), 0o777)
        return store
      },
    ],
    [
      'with other files in it',
      (stage: Stage) => {
        const store = makeStore(stage, stage.project)
        writeFileSync(path.join(path.dirname(store), 'files/notes'), '')
        return store
      },
    ],
  ])('a store of pnpm %s is named and not in the cell', async (_, make) => {
    using stage = makeStage(who)
    const store = make(stage)
    expect((await run(stage, [], 'true')).stderr).toContain(`node_modules leads to ${store}, which the cell does not have: --ro ${store}`)
  })

  test('a store of pnpm that a cell could write to is not in later cells', async () => {
    using stage = makeStage(who)
    const store = makeStore(stage, stage.project)
    await run(stage, ['--rw', path.dirname(store)], 'true')
    expect((await run(stage, [], 'true')).stderr).toContain(`node_modules leads to ${store}, which the cell does not have: --ro ${store}`)
  })

  test('of many links, those nearest to the root are named, and the others are counted', async () => {
    using stage = makeStage(who)
    for (const each of ['a/1', 'a/b/2', '3', '4', '5', 'a/6']) {
      mkdirSync(path.dirname(path.join(stage.project, each)), { recursive: true })
      mkdirSync(path.join(stage.root, 'out', each), { recursive: true })
      symlinkSync(path.join(stage.root, 'out', each), path.join(stage.project, each))
    }
    stage.own()
    const lines = (await run(stage, [], 'true')).stderr.split('\n').filter((each) => each.includes('the cell does not have'))
    expect(lines.map((each) => each.replace(/^paddock: (.*?) (leads|more).*$/, '$1'))).toEqual(['3', '4', '5', 'a/1', '2'])
  })
})

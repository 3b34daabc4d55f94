import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { everyone, inCell, isRoot, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'

/** Makes a file of the project that has a second name in another project, and returns that name. */
function shared(stage: Stage, file: string, { content = 'as it was\n', mode = 0o644 } = {}): string {
  stage.put(file, content)
  const here = path.join(stage.project, file)
  const there = path.join(stage.root, 'other', file)
  mkdirSync(path.dirname(there), { recursive: true })
  linkSync(here, there)
  stage.own()
  chmodSync(here, mode)
  return there
}

function withRepository(stage: Stage): void {
  for (const each of ['.git/refs/heads', '.git/objects']) mkdirSync(path.join(stage.project, each), { recursive: true })
  stage.put('.git/HEAD', 'ref: refs/heads/main\n')
  stage.put('.git/config', '[core]\n\trepositoryformatversion = 0\n')
}

const read = (file: string): string => readFileSync(file, 'utf8')
const python = (script: string, files: readonly string[]): string =>
  execFileSync('/usr/bin/env', ['python3', '-c', script, ...files], { encoding: 'utf8' })
const inode = (file: string): number => lstatSync(file).ino
const run = (stage: Stage, options: readonly string[], ...command: readonly string[]) =>
  paddock(stage, ['run', '--egress', 'off', ...options, '--', ...command])
const append = (file: string): readonly string[] => ['sh', '-c', 'chmod u+w "$1"; echo "// x" >> "$1"', 'sh', file]
const reason = 'because other directories share them by hard links'

describe.each(everyone)('files that other directories share by hard links (%s)', (who: Who) => {
  const places = [
    'node_modules/left/index.js',
    'node_modules/.pnpm/left@1.0.0/node_modules/left/index.js',
    '.venv/lib/python3/site-packages/left.py',
    'venv/lib/left.py',
    'vendor/bundle/left.rb',
    'packages/app/node_modules/left/index.js',
    'src/deep/left.ts',
    'left.txt',
    '.git/objects/aa/0123456789',
  ]

  test('a write of a cell does not reach another project', async () => {
    using stage = makeStage(who)
    withRepository(stage)
    const others = places.map((each) => shared(stage, each, { mode: 0o444 }))

    const script = `for each in ${places.join(' ')}; do chmod u+w $each; echo "// x" >> $each; done`
    const { code, stderr } = await run(stage, [], 'sh', '-c', script)

    expect(stderr).toContain(`paddock: ${places.length} files got their own copy, ${reason} (`)
    expect(code).toBe(0)
    expect(places.map((each) => stage.read(each))).toEqual(places.map(() => 'as it was\n// x\n'))
    expect(others.map(read)).toEqual(places.map(() => 'as it was\n'))

    const again = await run(stage, [], 'true')
    expect(again.stderr).not.toContain('hard links')
    const { stdout } = await paddock(stage, ['audit', 'tail', '--kind', 'cell.own-copies', '--json'])
    expect(stdout).toContain(`"files":${places.length}`)
  })

  test('a copy has the content, mode, owner, times and attributes of the file, and is not a change of the cell', async () => {
    using stage = makeStage(who)
    const modes: readonly (readonly [string, number])[] = [
      ['bin/run', 0o755],
      ['read-only', 0o444],
      ['odd \n "name" -ä', 0o600],
      ['set-id', 0o6755],
      ['sparse', 0o644],
      ['empty', 0o640],
      ['.hidden', 0o666],
    ]
    const files = modes.map(([name]) => {
      const there = shared(stage, `node_modules/${name}`, { content: name === 'empty' ? '' : 'as it was\n' })
      if (name === 'sparse') truncateSync(there, 8 * 1024 ** 2)
      return { here: path.join(stage.project, 'node_modules', name), there }
    })
    const all = files.flatMap(({ here, there }) => [here, there])
    python('import os,sys; [os.setxattr(each, "user.note", each[-3:].encode()) for each in sys.argv[1:]]', all)
    for (const [index, { there }] of files.entries()) {
      chmodSync(there, modes[index]?.[1] ?? 0)
      lutimesSync(there, 1_700_000_000.123456, 1_600_000_000.654321)
    }
    const notes = (): string => python('import os,sys; print([os.getxattr(each, "user.note") for each in sys.argv[1:]])', all)
    const noted = notes()
    const facts = (file: string) => {
      const { mode, uid, gid, size, mtimeNs } = lstatSync(file, { bigint: true })
      return { mode, uid, gid, size, mtimeNs, content: read(file) }
    }
    const before = files.map(({ there }) => facts(there))

    const { code, stderr } = await run(stage, [], 'true')

    expect([code, stderr]).toEqual([0, expect.stringContaining('no file changed')])
    expect(files.map(({ here }) => facts(here))).toEqual(before)
    expect(files.map(({ there }) => facts(there))).toEqual(before)
    expect(notes()).toBe(noted)
    for (const { here, there } of files) expect(inode(here)).not.toBe(inode(there))
    expect(lstatSync(path.join(stage.project, 'node_modules/sparse')).blocks).toBeLessThan(64)
  })

  test('names that are not UTF-8 are copied too', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'node_modules/plain')
    const odd = Buffer.concat([Buffer.from(`${stage.project}/node_modules/`), Buffer.from([0xff, 0xfe])])
    linkSync(there, odd)

    await run(stage, [], 'true')

    expect(lstatSync(odd).ino).toBe(inode(path.join(stage.project, 'node_modules/plain')))
    expect(lstatSync(odd).ino).not.toBe(inode(there))
  })

  test('files whose names are all in the project stay one file, and links stay as they are', async () => {
    using stage = makeStage(who)
    const [one, two] = ['node_modules/.pnpm/a/index.js', 'node_modules/b/index.js'].map((each) => path.join(stage.project, each))
    stage.put('node_modules/.pnpm/a/index.js', 'own\n')
    stage.put('node_modules/b/other.js', 'own\n')
    linkSync(one ?? '', two ?? '')
    symlinkSync('.pnpm/a', path.join(stage.project, 'node_modules/link'))
    const there = shared(stage, 'node_modules/c/index.js')
    const [c, d] = ['node_modules/c/index.js', 'node_modules/d.js'].map((each) => path.join(stage.project, each))
    linkSync(there, d ?? '')
    stage.own()
    const before = inode(one ?? '')

    const { stderr } = await run(stage, [], 'true')

    expect(stderr).toContain(`paddock: 1 file got its own copy, because another directory shares it by hard links (node_modules)`)
    expect([inode(one ?? ''), inode(two ?? '')]).toEqual([before, before])
    expect(lstatSync(path.join(stage.project, 'node_modules/link')).isSymbolicLink()).toBe(true)
    expect(inode(c ?? '')).toBe(inode(d ?? ''))
    expect(inode(c ?? '')).not.toBe(inode(there))
    expect(lstatSync(there).nlink).toBe(1)
  })

  test('a protected file stays shared, because no cell writes to it, and cannot be changed under another name', async () => {
    using stage = makeStage(who)
    shared(stage, '.envrc')
    const [envrc, second] = ['.envrc', 'second'].map((each) => path.join(stage.project, each))
    linkSync(envrc ?? '', second ?? '')
    const before = inode(envrc ?? '')

    const { code } = await run(stage, [], ...append('second'))

    expect(code).toBe(0)
    expect(inode(envrc ?? '')).toBe(before)
    expect([stage.read('.envrc'), stage.read('second')]).toEqual(['as it was\n', 'as it was\n// x\n'])
  })

  test('with --deps rw, files stay shared; with --deps ro, installed packages are read-only', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'node_modules/left/index.js')
    const other = shared(stage, 'src/left.ts')

    const rw = await run(stage, ['--deps', 'rw'], ...append('node_modules/left/index.js'))
    expect([rw.code, read(there)]).toEqual([0, 'as it was\n// x\n'])
    expect(rw.stderr).not.toContain('hard links')

    const ro = await run(
      stage,
      ['--deps', 'ro'],
      'sh',
      '-c',
      'echo x >> src/left.ts; echo x > node_modules/new; echo x >> node_modules/left/index.js',
    )
    expect(ro.stderr).toContain('Read-only file system')
    expect(ro.stderr).toContain('(src)')
    expect([read(there), read(other)]).toEqual(['as it was\n// x\n', 'as it was\n'])
    expect(inode(there)).toBe(inode(path.join(stage.project, 'node_modules/left/index.js')))
    expect(existsSync(path.join(stage.project, 'node_modules/new'))).toBe(false)

    const wrong = await run(stage, ['--deps', 'never'], 'true')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Use one of: own, ro, rw')])
  })

  test('run.deps in the configuration has the same effect as --deps, which takes precedence', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'node_modules/left/index.js')
    const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
    mkdirSync(config, { recursive: true })
    writeFileSync(path.join(config, 'config.yaml'), 'schemaVersion: 1\nrun:\n  deps: rw\n')
    stage.own()

    await run(stage, [], ...append('node_modules/left/index.js'))
    expect(read(there)).toBe('as it was\n// x\n')
    await run(stage, ['--deps', 'own'], ...append('node_modules/left/index.js'))
    expect(read(there)).toBe('as it was\n// x\n')
  })

  test('--dry-run names the files and changes nothing', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'node_modules/left/index.js')

    const { stdout } = await paddock(stage, ['run', '--dry-run', '--', 'true'])

    expect(stdout).toContain('1 file will get its own copy, because another directory shares it by hard links (node_modules)')
    expect(inode(there)).toBe(inode(path.join(stage.project, 'node_modules/left/index.js')))
  })

  test('a copy of the project shares no files with it', async () => {
    using stage = makeStage(who)
    withRepository(stage)
    const others = places.map((each) => shared(stage, each))

    const { code, stdout, stderr } = await run(
      stage,
      ['--copy', '--copy-ignored'],
      'sh',
      '-c',
      'find . -type f -links +1; for each in node_modules/left/index.js left.txt; do echo x >> $each; done',
    )

    expect(stderr).not.toContain('hard links')
    expect([code, stdout]).toEqual([0, ''])
    expect(others.map(read)).toEqual(places.map(() => 'as it was\n'))
    expect(places.map((each) => stage.read(each))).toEqual(places.map(() => 'as it was\n'))
  })

  test('files of directories passed with --rw, and objects of the repository around a work tree, are copied too', async () => {
    using stage = makeStage(who)
    const git = (directory: string, ...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=x', '-c', 'user.email=x@example.com', '-C', directory, ...args], {
        encoding: 'utf8',
      })
    const [main, clone, more] = ['main', 'clone', 'more'].map((each) => path.join(stage.root, each))
    git(stage.root, 'init', '-q', main ?? '')
    git(main ?? '', 'commit', '-q', '--allow-empty', '-m', 'first')
    git(main ?? '', 'worktree', 'add', '-q', '-f', path.join(stage.root, 'tree'))
    git(stage.root, 'clone', '-q', main ?? '', clone ?? '')
    mkdirSync(more ?? '')
    writeFileSync(path.join(more ?? '', 'file'), 'as it was\n')
    linkSync(path.join(more ?? '', 'file'), path.join(stage.root, 'elsewhere'))
    stage.own()
    const object = git(clone ?? '', 'rev-parse', 'HEAD')
      .trim()
      .replace(/^../, '$&/')
    const inClone = path.join(clone ?? '', '.git/objects', object)
    const before = readFileSync(inClone)
    expect(lstatSync(inClone).nlink).toBe(2)

    const script = `chmod u+w ${main}/.git/objects/${object} && echo x >> ${main}/.git/objects/${object} && echo x >> ${more}/file`
    const args = ['run', '--egress', 'off', '--rw', more ?? '', '--', 'sh', '-c', script]
    const { code, stderr } = await paddock(stage, args, { cwd: path.join(stage.root, 'tree') })

    expect([code, stderr]).toEqual([0, expect.stringContaining(`3 files got their own copy, ${reason} (${more}, ${main}/.git)`)])
    expect(readFileSync(inClone).equals(before)).toBe(true)
    expect(read(path.join(stage.root, 'elsewhere'))).toBe('as it was\n')
    expect(read(path.join(more ?? '', 'file'))).toBe('as it was\nx\n')
  })

  test('two cells that start at once in one project work', async () => {
    using stage = makeStage(who)
    const names = Array.from({ length: 300 }, (_, index) => `node_modules/p${index % 7}/${index}.js`)
    const others = names.map((each) => shared(stage, each))

    const both = await Promise.all(
      [1, 2].map((each) => inCell(stage, `for f in $(find node_modules -type f); do echo ${each} >> $f; done`)),
    )

    expect(both.map((each) => [each.code, each.stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(others.every((each) => read(each) === 'as it was\n')).toBe(true)
    expect(names.every((each) => /^as it was\n(1\n2|2\n1)\n$/.test(stage.read(each)))).toBe(true)
  })

  test('a file that a program of the host has open for writing is not replaced, and the cell does not start', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'log')
    const before = inode(there)
    const open = openSync(there, 'a')
    try {
      const { code, stderr } = await run(stage, [], 'true')
      expect([code, stderr]).toEqual([
        125,
        expect.stringContaining('log is shared with another directory by a hard link and is being changed'),
      ])
      expect(stderr).toContain('--deps rw')
      expect(inode(path.join(stage.project, 'log'))).toBe(before)
    } finally {
      closeSync(open)
    }
    expect((await run(stage, [], 'true')).code).toBe(0)
    expect(inode(path.join(stage.project, 'log'))).not.toBe(before)
  })

  test('what a killed Paddock left is removed by the next start', async () => {
    using stage = makeStage(who)
    const there = shared(stage, 'node_modules/a.js')
    const left = path.join(stage.project, 'node_modules/.paddock-own-0123456789ab')
    linkSync(there, left)
    stage.put('src/.paddock-own-0123456789ac', 'a copy')
    stage.own()

    expect((await run(stage, [], 'true')).code).toBe(0)

    expect([existsSync(left), existsSync(path.join(stage.project, 'src/.paddock-own-0123456789ac'))]).toEqual([false, false])
    expect(stage.read('node_modules/a.js')).toBe('as it was\n')
    expect(lstatSync(there).nlink).toBe(1)
  })
})

describe('files of another user', () => {
  beforeEach(({ skip }) => skip(!isRoot, 'needs root: files of other users'))

  test('one that the user cannot write to stays shared; one that the user can write to keeps the cell from starting', async () => {
    using stage = makeStage('user')
    const there = shared(stage, 'node_modules/a.js')
    chownSync(there, 0, 0)
    const here = path.join(stage.project, 'node_modules/a.js')
    const before = inode(here)

    expect((await run(stage, [], 'true')).code).toBe(0)
    expect(inode(here)).toBe(before)

    chmodSync(there, 0o666)
    const { code, stderr } = await run(stage, [], 'true')
    expect([code, stderr]).toEqual([125, expect.stringContaining('and belongs to another user, so the cell could change it there')])
    expect(inode(here)).toBe(before)
    expect((await run(stage, ['--deps', 'rw'], 'true')).code).toBe(0)
  })
})

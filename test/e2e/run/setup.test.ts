import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, needsRoot, paddock, type Ran, type Stage, startPaddock, type Who } from '../../support/cli.ts'

function git(stage: Stage, ...words: string[]): string {
  const settings = path.join(stage.root, 'gitconfig')
  writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
  return String(execFileSync('git', words, { cwd: stage.project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
}

/** A command that makes node_modules with a value that no other run has. */
const makes =
  'mkdir -p node_modules/dep/bin; cat /proc/sys/kernel/random/uuid > node_modules/dep/made; cat package-lock.json >> node_modules/dep/made'

/** A repository with a lock file, and a configuration whose setup runs this shell script. */
function stageOf(who: Who, script = makes, more = 'files: [package.json, package-lock.json]'): Stage {
  const stage = makeStage(who)
  git(stage, 'init', '-q', '-b', 'main')
  stage.put('package.json', '{}\n')
  stage.put('package-lock.json', 'lock 1\n')
  stage.put('.gitignore', 'node_modules/\n')
  git(stage, 'add', '.')
  git(stage, 'commit', '-q', '-m', 'first')
  configure(stage, script, more)
  return stage
}

function configure(stage: Stage, script: string, more = 'files: [package.json, package-lock.json]', keep = '[node_modules]'): void {
  const directory = path.join(stage.root, 'paddock/config')
  mkdirSync(directory, { recursive: true })
  const text = `schemaVersion: 1\nsetup:\n  command: [sh, -c, ${JSON.stringify(script)}]\n  keep: ${keep}\n  ${more}\n`
  writeFileSync(path.join(directory, 'config.yaml'), text)
  stage.own()
}

const inTree = (stage: Stage, name: string, script = 'cat node_modules/dep/made'): Promise<Ran> =>
  paddock(stage, ['run', '--worktree', name, '--', 'sh', '-c', script])
const inCopy = (stage: Stage, script = 'cat node_modules/dep/made'): Promise<Ran> =>
  paddock(stage, ['run', '--copy', '--', 'sh', '-c', script])
const results = (stage: Stage): readonly string[] => {
  const directory = path.join(stage.root, 'paddock/cache/setup/results')
  return existsSync(directory) ? readdirSync(directory) : []
}
const copiesOf = (stage: Stage): readonly string[] =>
  readdirSync(path.join(stage.root, 'paddock/state/copies')).filter((each) => !each.endsWith('.lock'))
const ran = 'setup: running sh -c'

test.each(everyone)('the command runs once for all work trees with the same lock file, as %s', async (who) => {
  using stage = stageOf(who)
  const first = await inTree(stage, 'one')
  expect(first.code, first.stderr).toBe(0)
  expect(first.stderr).toContain(ran)
  expect(first.stderr).toContain('setup: placed node_modules for package-lock.json, package.json')
  expect(first.stdout).toMatch(/^[0-9a-f-]{36}\nlock 1\n$/)
  const second = await inTree(stage, 'two', 'cat node_modules/dep/made; echo changed > node_modules/dep/made; git status --porcelain')
  expect([second.code, second.stdout]).toEqual([0, first.stdout])
  expect(second.stderr).not.toContain(ran)
  // An agent's change stays in its own tree.
  expect((await inTree(stage, 'two')).stdout).toBe('changed\n')
  expect((await inTree(stage, 'three')).stdout).toBe(first.stdout)
  expect(results(stage)).toHaveLength(1)
})

test.each(everyone)('copies get the directories, which are never part of what is applied, as %s', async (who) => {
  using stage = stageOf(who)
  const first = await inTree(stage, 'one')
  const same = await inCopy(stage)
  expect([same.code, same.stdout], same.stderr).toEqual([0, first.stdout])
  expect(same.stderr).toContain('setup: placed node_modules for')
  expect(copiesOf(stage)).toEqual([])
  const changed = await inCopy(stage, 'echo x > node_modules/dep/made; echo x > node_modules/new; echo 2 > new.txt')
  expect(changed.code, changed.stderr).toBe(0)
  const review = JSON.parse((await paddock(stage, ['review', '--json'])).stdout) as { changes: { path: string }[]; ignored?: number }
  expect(review.changes.map((each) => each.path)).toEqual(['new.txt'])
  expect((await paddock(stage, ['apply'])).code).toBe(0)
  expect([stage.read('new.txt'), existsSync(path.join(stage.project, 'node_modules'))]).toEqual(['2\n', false])
  expect((await inCopy(stage)).stdout).toBe(first.stdout)
})

test.each(everyone)('another lock file is another result, and a tree that goes on keeps its directory, as %s', async (who) => {
  using stage = stageOf(who)
  const first = await inTree(stage, 'one')
  const other = await inTree(stage, 'one', 'echo evil > package-lock.json; pwd')
  expect(other.stderr).not.toContain('setup:')
  const kept = await inTree(stage, 'one')
  const directory = other.stdout.trim()
  expect(kept.stdout).toBe(first.stdout)
  expect(kept.stderr).toContain(
    `setup: package-lock.json has changed since node_modules was placed; to renew it: rm -rf ${directory}/node_modules`,
  )
  expect(results(stage)).toHaveLength(1)
  await inTree(stage, 'one', 'rm -r node_modules')
  const renewed = await inTree(stage, 'one')
  expect(renewed.stdout).toMatch(/^[0-9a-f-]{36}\nevil\n$/)
  expect(renewed.stderr).toContain(ran)
  // What an agent wrote into its lock file serves nobody with another one.
  expect((await inTree(stage, 'two')).stdout).toBe(first.stdout)
  stage.put('package-lock.json', 'lock 2\n')
  git(stage, 'commit', '-qam', 'second')
  stage.own()
  expect((await inTree(stage, 'three')).stdout).toMatch(/\nlock 2\n$/)
  expect(results(stage)).toHaveLength(3)
})

test.each(everyone)('the command sees its files, and nothing else of the project or the user, as %s', async (who) => {
  const script =
    'mkdir node_modules; { pwd; find . -type f | sort; ls -A ~; git log 2>&1 | head -c 9; } > node_modules/seen; cat packages/*/package.json >> node_modules/seen; test -x tool.sh'
  using stage = stageOf(who, script, 'files: [package-lock.json, packages/*/package.json, tool.sh, absent]')
  writeFileSync(path.join(stage.home, 'secret'), 'secret')
  for (const each of ['a', 'b']) stage.put(`packages/${each}/package.json`, `${each}\n`)
  stage.put('packages/a/index.js', '')
  stage.put('tool.sh', '')
  execFileSync('chmod', ['755', path.join(stage.project, 'tool.sh')])
  git(stage, 'add', '.')
  git(stage, 'commit', '-qm', 'packages')
  stage.own()
  const seen = await inTree(stage, 'one', 'cat node_modules/seen')
  expect(seen.code, seen.stderr).toBe(0)
  expect(seen.stdout).toBe(
    [
      stage.project,
      ...['./node_modules/seen', './package-lock.json', './packages/a/package.json', './packages/b/package.json', './tool.sh'],
      'fatal: noa\nb\n',
    ].join('\n'),
  )
})

test.each(everyone)('nothing is started if the command fails, and nothing is kept, as %s', async (who) => {
  using stage = stageOf(who, 'mkdir node_modules; echo one; echo "npm error: two" >&2; exit 3')
  for (const run of [inTree(stage, 'one', 'touch begun'), inCopy(stage, 'touch begun')]) {
    const failed = await run
    expect([failed.code, failed.stdout]).toEqual([125, ''])
    expect(failed.stderr).toMatch(
      /CELL_FAILED: setup: sh -c .* exited with code 3, so nothing was started\.\n( {2}one\n)? {2}npm error: two\n/,
    )
  }
  expect([results(stage), readdirSync(path.join(stage.root, 'paddock/cache/setup/making'))]).toEqual([[], []])
  expect(copiesOf(stage)).toEqual([])
  configure(stage, makes)
  expect((await inTree(stage, 'one')).stdout).toContain('lock 1')
})

test.each(everyone)('a killed setup leaves nothing that is used, as %s', async (who) => {
  using stage = stageOf(who, 'mkdir -p node_modules; echo half > node_modules/half; sleep 100')
  const child = startPaddock(stage, ['run', '--worktree', 'one', '--', 'true'])
  const making = path.join(stage.root, 'paddock/cache/setup/making')
  const half = (): boolean =>
    existsSync(making) && readdirSync(making).some((each) => existsSync(path.join(making, each, 'tree/node_modules/half')))
  while (!half()) await setTimeout(50)
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
  expect([results(stage), readdirSync(making).length]).toEqual([[], 1])
  configure(stage, 'mkdir node_modules; echo whole > node_modules/whole')
  const again = await inTree(stage, 'one', 'ls node_modules')
  expect([again.code, again.stdout], again.stderr).toEqual([0, 'whole\n'])
  expect(readdirSync(making)).toEqual([])
})

test.each(everyone)('of two runs that start at once, one runs the command and both use its result, as %s', async (who) => {
  using stage = stageOf(who, `sleep 2; ${makes}`)
  const all = await Promise.all([inTree(stage, 'one'), inTree(stage, 'two'), inCopy(stage)])
  expect(
    all.map((each) => each.code),
    all.map((each) => each.stderr).join('\n'),
  ).toEqual([0, 0, 0])
  expect(new Set(all.map((each) => each.stdout)).size).toBe(1)
  expect(all.filter((each) => each.stderr.includes(ran))).toHaveLength(1)
})

test.each(everyone)('a link is never followed, in the result or in the tree, as %s', async (who) => {
  using stage = stageOf(who, 'ln -s /etc node_modules')
  writeFileSync(path.join(stage.home, 'secret'), 'secret')
  const refused = await inTree(stage, 'one', 'true')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('setup.keep: node_modules is not a directory: sh made a link in its place.'),
  ])
  const inside =
    'mkdir node_modules; ln -s /etc node_modules/etc; ln -s ../package.json node_modules/up; mkfifo node_modules/pipe; chmod 500 node_modules'
  configure(stage, inside)
  const linked = await inTree(stage, 'one', 'pwd; readlink node_modules/etc node_modules/up')
  const [directory = '', ...links] = linked.stdout.trim().split('\n')
  expect(links, linked.stderr).toEqual(['/etc', '../package.json'])
  expect(lstatSync(path.join(directory, 'node_modules/etc')).isSymbolicLink()).toBe(true)
  expect(linked.stderr).toContain('setup: not placed: node_modules/pipe (it is a FIFO)')

  // Files and directories of a tree that goes on are the agent's.
  await inTree(stage, 'one', `chmod 700 node_modules; rm -r node_modules; ln -sf ${stage.home}/secret package-lock.json`)
  const read = await inTree(stage, 'one', 'true')
  expect([read.code, read.stderr]).toEqual([2, expect.stringContaining('package-lock.json is not a regular file.')])
  configure(stage, 'mkdir -p web/node_modules; echo 1 > web/node_modules/new', undefined, '[web/node_modules]')
  mkdirSync(path.join(stage.root, 'outside'), { mode: 0o777 })
  await inTree(stage, 'two', `ln -s ${stage.root}/outside web`)
  const placed = await inTree(stage, 'two', 'true')
  expect([placed.code, readdirSync(path.join(stage.root, 'outside'))], placed.stderr).toEqual([0, []])
})

test.each(everyone)('a directory that cannot be kept is refused before anything starts, as %s', async (who) => {
  using stage = stageOf(who)
  for (const each of ['/tmp/x', '../x', 'a/../../x', '.', '.git/x', 'a/.GIT', '""']) {
    configure(stage, makes, undefined, `[${each}]`)
    const refused = await inTree(stage, 'one', 'true')
    expect([refused.code, refused.stderr], each).toEqual([
      2,
      expect.stringContaining('setup.keep[0] must be the path of a directory in the project, such as node_modules'),
    ])
  }
  configure(stage, makes, undefined, '[node_modules, node_modules/dep]')
  expect((await inTree(stage, 'one', 'true')).stderr).toContain('setup.keep must not name a directory twice, or one that is in another')
  configure(stage, makes, undefined, '[lib]')
  stage.put('lib/tracked', '')
  git(stage, 'add', '.')
  git(stage, 'commit', '-qm', 'lib')
  stage.own()
  for (const run of [inTree(stage, 'two', 'true'), inCopy(stage, 'true')]) {
    const tracked = await run
    expect([tracked.code, tracked.stderr]).toEqual([2, expect.stringContaining('setup.keep: git tracks files in lib of ')])
  }
})

test.each(everyone)('the setup of a trusted project file takes precedence as a whole, as %s', async (who) => {
  using stage = stageOf(who)
  stage.put('.paddock.yaml', 'schemaVersion: 1\nsetup:\n  command: [sh, -c, "mkdir deps; echo project > deps/made"]\n  keep: [deps]\n')
  git(stage, 'add', '.')
  git(stage, 'commit', '-qm', 'setup')
  stage.own()
  expect((await inTree(stage, 'one', 'true')).stderr).toContain('is not trusted, so nothing was started.')
  const asked = await paddock(stage, ['trust'])
  expect(asked.stdout).toContain('setup.command = sh')
  const used = await inTree(stage, 'one', 'ls deps node_modules; cat deps/made')
  expect([used.code, used.stdout], used.stderr).toEqual([0, 'deps:\nmade\nproject\n'])
  const shown = await paddock(stage, ['config', 'show'])
  expect(shown.stdout).toContain('deps')
  expect(shown.stdout).not.toContain('node_modules')
})

describe('a project of another user', () => {
  needsRoot('root works on a project of somebody else')

  test('gets directories that belong to the owner of the tree', async () => {
    const who = everyone[0]
    if (who === undefined) return
    using stage = stageOf(who)
    execFileSync('chown', ['-R', '61234:61234', stage.project])
    const first = await inCopy(
      stage,
      'echo x > node_modules/dep/made; touch node_modules/new new.txt; find node_modules -printf "%u\\n" | sort -u',
    )
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout.trim().split('\n')).toHaveLength(1)
    const [copy = ''] = copiesOf(stage)
    const tree = path.join(stage.root, 'paddock/state/copies', copy, 'tree')
    expect(lstatSync(path.join(tree, 'node_modules/dep')).uid).toBe(lstatSync(tree).uid)
  })
})

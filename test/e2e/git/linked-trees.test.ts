import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage, type Stage, type Who } from '../../support/cli.ts'

test('B16: a cell in the main work tree cannot make a linked one lead elsewhere', async () => {
  using stage = makeStage('user')
  const linked = path.join(stage.root, 'linked')
  const git = (directory: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=x', '-c', 'user.email=x@example.com', '-C', directory, ...args], {
      encoding: 'utf8',
    })
  git(stage.root, 'init', '-q', stage.project)
  git(stage.project, 'commit', '-q', '--allow-empty', '-m', 'first')
  git(stage.project, 'worktree', 'add', '-q', linked)
  stage.own()
  const before = stage.read('.git/worktrees/linked/gitdir')

  const script = `cd .git/worktrees/linked; echo /tmp/x/.git > gitdir; rm -f gitdir; echo /tmp/x/.git > new; mv -f new gitdir; cd ..; mv linked other; rm -rf linked
    cd ../..; git commit -q --allow-empty -m second && git worktree list && git worktree prune && git gc -q && echo works`
  const env = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }
  const args = ['--egress', 'off', ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])]
  const { stdout } = await inCell(stage, script, { args })

  expect(stage.read('.git/worktrees/linked/gitdir')).toBe(before)
  expect(stdout).toMatch(/works\n$/)
  expect(git(stage.project, 'log', '--format=%s')).toBe('second\nfirst\n')
})

/** A repository with its main work tree in the project, and linked work trees beside it. */
function withLinked(stage: Stage, names: readonly string[], bare = false) {
  const git = (directory: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', '-C', directory, ...args], { encoding: 'utf8', env: stage.env })
  writeFileSync(path.join(stage.home, '.gitconfig'), '[user]\n\tname = x\n\temail = x@example.com\n')
  git(stage.root, 'init', '-q', '-b', 'main', ...(bare ? ['--bare'] : []), stage.project)
  if (bare)
    git(
      stage.project,
      'update-ref',
      'refs/heads/main',
      git(stage.project, 'commit-tree', '-m', 'first', git(stage.project, 'mktree').trim()).trim(),
    )
  else git(stage.project, 'commit', '-q', '--allow-empty', '-m', 'first')
  const place = (name: string): string => path.join(stage.root, name)
  for (const each of names) git(stage.project, 'worktree', 'add', '-q', '-b', each, place(each))
  stage.own()
  return { git, place, entries: path.join(stage.project, bare ? 'worktrees' : '.git/worktrees') }
}

const more = (count: number): readonly string[] => Array.from({ length: count }, (_, each) => `more-${each}`)

const ordinary = `set -e; echo 1 > a; git add a; git commit -qm work; echo 2 > a; git stash -q; git stash pop -q; git commit -qam two
  git rebase -q --force-rebase HEAD~1; git switch -qc other; git switch -q -; git gc -q --prune=now; git worktree prune 2>/dev/null; git worktree list; echo works`

describe.each(everyone)('linked work trees (%s)', (who: Who) => {
  test.each(['main', 'linked', 'linked, of a bare repository'])('a cell in the %s work tree can do ordinary work', async (which) => {
    using stage = makeStage(who)
    const bare = which.endsWith('bare repository')
    const { git, place, entries } = withLinked(stage, ['one', 'two'], bare)
    writeFileSync(path.join(place('two'), 'staged'), 'only in the index of a neighbour\n')
    git(place('two'), 'add', 'staged')
    git(place('two'), 'commit', '-qm', 'seen')
    git(place('two'), 'checkout', '-q', '--detach')
    git(place('two'), 'commit', '-q', '--allow-empty', '-m', 'only in the HEAD of a neighbour')
    stage.own()
    const cwd = which === 'main' ? stage.project : place('one')
    const before = git(place('two'), 'rev-parse', 'HEAD')

    const { code, stdout, stderr } = await inCell(stage, ordinary, { cwd, args: ['--egress', 'off'] })

    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/works\n$/)
    expect(git(cwd, 'log', '-2', '--format=%s')).toBe('two\nwork\n')
    expect(git(cwd, 'status', '--short')).toBe('')
    expect(git(place('two'), 'rev-parse', 'HEAD')).toBe(before)
    git(stage.project, 'fsck', '--full')
    expect(readdirSync(entries).sort()).toEqual(['one', 'two'])
    expect(readdirSync(path.dirname(entries)).filter((each) => each.startsWith('worktrees.'))).toEqual([])
  })

  test.each([0, 50])('a cell in a linked work tree cannot change the main one or its neighbours, beside %i more', async (count) => {
    using stage = makeStage(who)
    const { git, place, entries } = withLinked(stage, ['one', 'two', ...more(count)])
    const main = path.join(stage.project, '.git')
    writeFileSync(path.join(place('two'), 'staged'), '1\n')
    git(place('two'), 'add', 'staged')
    writeFileSync(path.join(stage.project, 'mine'), '1\n')
    git(stage.project, 'add', 'mine')
    stage.own()
    const files = [`${main}/HEAD`, `${main}/index`, ...['HEAD', 'index', 'gitdir', 'commondir'].map((each) => `${entries}/two/${each}`)]
    const contents = (): readonly string[] => files.map((each) => readFileSync(each, 'latin1'))
    const before = contents()
    const script = files
      .map((each) => `echo x > ${each}; rm -f ${each}; echo x > ${each}.new; mv -f ${each}.new ${each}; ln -sf /etc/passwd ${each}`)
      .join('\n')

    await inCell(
      stage,
      `${script}\nrm -rf ${entries}/two ${main}/worktrees.*/two; mv ${entries} ${main}/old; mv ${main}/worktrees.links ${main}/old; git worktree remove -f -f ${place('two')}; true`,
      {
        cwd: place('one'),
        args: ['--egress', 'off'],
      },
    )

    expect(contents()).toEqual(before)
    expect(git(place('two'), 'status', '--short')).toBe('A  staged\n')
  })

  test.each([0, 50])('work trees that cells add are in the repository afterwards, beside %i more', async (count) => {
    using stage = makeStage(who)
    const names = ['one', ...more(count)]
    const { git, entries } = withLinked(stage, names)
    for (const each of ['inside', 'later']) {
      const script = `git worktree list | wc -l; git worktree add -q ${each} && cd ${each} && git commit -q --allow-empty -m x`
      const { code, stdout, stderr } = await inCell(stage, script, { args: ['--egress', 'off'] })
      expect(code, stderr).toBe(0)
      expect(stdout).toBe(`${names.length + 1}\n`)
      names.push(each)
      expect(readdirSync(entries).sort()).toEqual([...names].sort())
      expect(git(stage.project, 'log', '-1', '--format=%s', `refs/heads/${each}`)).toBe('x\n')
    }
    expect(readdirSync(path.dirname(entries)).filter((each) => /^worktrees.|quarantined/.test(each))).toEqual(
      count === 0 ? [] : ['worktrees.links'],
    )
  })

  // The end of one cell examines .git, where the other has its view.
  test.each([
    ['earlier', 3],
    ['later', 3],
    ['earlier', 50],
    ['later', 50],
  ])('a cell keeps its view when the one that started %s ends before it, beside %i more', async (first, count) => {
    using stage = makeStage(who)
    const { git, entries } = withLinked(stage, more(count))
    const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.1; done`
    const list = 'git worktree list | wc -l; git gc -q && git commit -q --allow-empty -m'
    const [early, late] = first === 'earlier' ? [until('late'), until('go')] : [until('go'), 'true']
    const run = (name: string, wait: string) => inCell(stage, `touch ${name}; ${wait}; ${list} ${name}`, { args: ['--egress', 'off'] })
    const starts = run('early', early)
    while (!existsSync(path.join(stage.project, 'early'))) await setTimeout(50)
    const follows = run('late', late)
    const ended = [await (first === 'earlier' ? starts : follows)]
    writeFileSync(path.join(stage.project, 'go'), '')
    ended.push(await (first === 'earlier' ? follows : starts))
    for (const { code, stdout, stderr } of ended) {
      expect(code, stderr).toBe(0)
      expect(stdout).toBe(`${count + 1}\n`)
      expect(stderr).not.toMatch(/quarantined|could not be searched/)
    }
    expect(readdirSync(entries)).toHaveLength(count)
    expect(readdirSync(path.dirname(entries)).filter((each) => /^worktrees\.|quarantined/.test(each))).toEqual(
      count === 3 ? [] : ['worktrees.links'],
    )
    expect(git(stage.project, 'log', '--format=%s')).toMatch(/(early|late)\n(early|late)\nfirst\n/)
    git(stage.project, 'fsck', '--full')
  })

  test('a cell cannot have directories of the user moved', async () => {
    using stage = makeStage(who)
    const { entries } = withLinked(stage, ['one'])
    const script = `cd .git/worktrees; ln -s ${stage.home} home; mkdir one2; rm one; mkdir one; touch one/x; ln -s /etc file`
    await inCell(stage, script, { args: ['--egress', 'off'] })
    expect(existsSync(stage.home)).toBe(true)
    expect(readdirSync(entries).sort()).toEqual(['one', 'one2'])
    expect(existsSync(path.join(entries, 'one/gitdir'))).toBe(true)
  })

  test('a work tree inside the project is its own', async () => {
    using stage = makeStage(who)
    const { git } = withLinked(stage, ['project/inside', 'beside'])
    appendFileSync(path.join(stage.project, '.git/info/exclude'), 'inside\n')
    const { code, stderr } = await inCell(stage, 'cd inside && git commit -q --allow-empty -m x', { args: ['--egress', 'off'] })
    expect(code, stderr).toBe(0)
    expect(git(path.join(stage.project, 'inside'), 'log', '-1', '--format=%s')).toBe('x\n')
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, inCell, makeStage, paddock, type Stage, startPaddock, type Who } from '../../support/cli.ts'

const identity = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}
const args = ['--egress', 'off', ...Object.entries(identity).flatMap(([name, value]) => ['--env', `${name}=${value}`])]

/** Runs git in a directory, on the host, as the stage's user. */
function git(stage: Stage, directory: string, ...words: readonly string[]): string {
  const [program = 'git', ...rest] = [...becoming(stage.who), 'git', '-C', directory, ...words]
  return execFileSync(program, rest, { encoding: 'utf8', env: { ...stage.env, ...identity } })
}

/** Makes a repository with protected paths that differ between branches: `feat` changes and adds some, `none` has none. */
function makeRepository(who: Who, more = ''): Stage {
  const stage = makeStage(who)
  const script = `set -e
    git init -qb main .
    echo 1 > a; echo base > .envrc; mkdir -p .vscode pkg; echo '{}' > .vscode/settings.json; echo p > pkg/f; git add .; git commit -qm base
    git switch -qc feat; echo feat >> .envrc; echo '{"f":1}' > .vscode/settings.json; echo new > .vscode/tasks.json
    echo '{}' > .mcp.json; mkdir pkg/.vscode; echo sub > pkg/.vscode/settings.json; echo 2 > a; git add .; git commit -qm feat
    git switch -qc none main; git rm -qr .envrc .vscode; git commit -qm none
    git switch -qc clash main; echo clash >> .envrc; echo 3 > a; git commit -qam clash
    git switch -q main
    ${more}`
  const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-c', script]
  execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity }, stdio: ['ignore', 'ignore', 'inherit'] })
  return stage
}

/** Returns the state of a repository: branch, refs, index, status, and the files with their contents. */
function stateOf(stage: Stage, directory: string): unknown {
  const files = (at: string): readonly string[] =>
    readdirSync(path.join(directory, at), { withFileTypes: true })
      .filter((each) => each.name !== '.git')
      .flatMap((each) => {
        const file = path.join(at, each.name)
        return each.isDirectory() ? files(file) : [`${file}: ${readFileSync(path.join(directory, file), 'utf8')}`]
      })
  return {
    head: git(stage, directory, 'rev-parse', '--symbolic-full-name', 'HEAD'),
    refs: git(stage, directory, 'for-each-ref', '--format=%(refname) %(objectname)'),
    index: git(stage, directory, 'ls-files', '--stage', '-v'),
    status: git(stage, directory, 'status', '--porcelain'),
    files: files('.').toSorted(),
  }
}

/** Runs a script on a copy of the project on the host. Returns the exit code and the state. */
function bare(stage: Stage, script: string): { readonly code: number | null; readonly state: unknown } {
  const copy = path.join(stage.root, 'bare')
  cpSync(stage.project, copy, { recursive: true, preserveTimestamps: true })
  stage.own()
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-c', script]
  const { status } = spawnSync(program, rest, { cwd: copy, env: { ...stage.env, ...identity }, stdio: 'ignore' })
  return { code: status, state: stateOf(stage, copy) }
}

describe.each(everyone)('as %s, git in a cell ends as on the host', (who) => {
  test.each([
    'git switch feat && echo 3 >> pkg/f && git commit -qam work',
    'git switch none && echo n > n && git add -A && git commit -qm n',
    'git reset -q --hard feat',
    'git merge -q feat',
    'git switch -q --detach feat && git switch main',
    'git checkout -q -f feat && git checkout -q -B other main',
    'git switch feat && git rebase -q none; git rebase --abort 2>/dev/null; true',
    'git switch clash && echo 4 >> pkg/f && git commit -qam more && git rebase -q none || git rebase --abort',
    'git cherry-pick feat && git revert --no-edit HEAD',
    'echo 5 >> a && git stash -q && git switch -q feat && git switch -q main && git stash pop -q',
    'echo 6 >> a && git checkout -- . && git clean -fdq pkg',
    'git switch feat && git rm -q a && git commit -qm gone && git switch main && git merge -q feat',
    'git switch -qc topic && echo t > t && git add t && git commit -qm t && git rebase -q feat',
    'git bisect start feat main && git bisect good && git bisect reset',
  ])('%s', async (script) => {
    using stage = makeRepository(who)
    const expected = bare(stage, script)
    const { code, stderr } = await inCell(stage, script, { args })
    expect({ code, stderr }).toEqual({ code: expected.code, stderr: expect.any(String) })
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
  })

  test.each(['git checkout -- .', 'git restore .', 'git checkout HEAD -- .', 'git checkout-index -fa', 'git restore -SW .'])(
    'also if git does not know that files are unmodified, as after a copy: %s',
    async (script) => {
      using stage = makeRepository(who, 'echo 6 >> a; touch -d 2020-01-01 .envrc .vscode/settings.json pkg/f')
      const expected = bare(stage, script)
      const { code, stderr } = await inCell(stage, script, { args })
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('unable to unlink') })
      expect(stateOf(stage, stage.project)).toEqual(expected.state)
    },
  )

  test.each([
    ['a merge with a conflict in a protected file', 'git switch -q clash && git merge feat', ''],
    ['a rebase with one', 'git switch -q clash && git rebase feat', 'git rebase --abort'],
    ['a cherry-pick of one', 'git switch -q clash && git cherry-pick feat', ''],
    ['changes of the user in a protected file', 'git reset -q --hard feat', ''],
    ['a file of another commit over a protected one', 'git checkout feat -- .envrc', 'git reset -q'],
  ])('or with an error and nothing lost: %s', async (what, script, end) => {
    using stage = makeRepository(who, what.startsWith('changes') ? 'echo mine >> .envrc' : '')
    const before = git(stage, stage.project, 'for-each-ref', '--format=%(refname) %(objectname)')
    const envrc = stage.read('.envrc')
    const { code } = await inCell(stage, `${script}; code=$?; ${end}; exit $code`, { args })
    expect(code).not.toBe(0)
    expect(git(stage, stage.project, 'for-each-ref', '--format=%(refname) %(objectname)')).toBe(before)
    expect([envrc, git(stage, stage.project, 'show', 'HEAD:.envrc')]).toContain(stage.read('.envrc'))
    expect(git(stage, stage.project, 'ls-files', '-v').match(/^S/gm)).toBeNull()
  })

  test.each([
    ['git reset -q main', ''],
    ['git reset -q HEAD~1', 'git switch -qc envrc main; echo more >> .envrc; git commit -qam envrc'],
    ['git reset -q main && echo n > n && git add n', ''],
  ])('a reset that does not change the work tree does not change protected files: %s', async (script, more) => {
    using stage = makeRepository(who, `git switch -q feat; ${more}`)
    const expected = bare(stage, script)
    const { code, stderr } = await paddock(stage, ['run', ...args, '--', 'sh', '-c', script])
    expect(code, stderr).toBe(0)
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
  })

  test.each([
    ['git reset -q main && git add -A && git commit -qm again', 'feat'],
    ['git switch -q clash && git reset -q feat && git add -A && git commit -qm again', 'clash'],
    ['git switch -q clash && git reset -q feat', 'clash'],
  ])('protected files that a reset passed over are named with the command that restores them: %s', async (script, from) => {
    using stage = makeRepository(who, 'git switch -q feat')
    bare(stage, script)
    const id = git(stage, stage.project, 'rev-parse', from).slice(0, 10)
    const { code, stderr } = await paddock(stage, ['run', ...args, '--', 'sh', '-c', script])
    expect(code, stderr).toBe(0)
    const command = /which passed over them: \S.*; to get these versions back: (.*)/.exec(stderr)?.[1] ?? ''
    expect(command).toMatch(new RegExp(`^git restore -s ${id} -SW -- .*\\.envrc`))
    const onHost = (at: string, line: string): string => {
      const [program = 'sh', ...rest] = [
        ...becoming(who),
        'sh',
        '-ec',
        `${line}; git add -A; git commit -qm held >/dev/null || true; git status --porcelain`,
      ]
      return execFileSync(program, rest, { cwd: at, env: { ...stage.env, ...identity }, encoding: 'utf8' })
    }
    const outside = path.join(stage.root, 'bare')
    expect(onHost(stage.project, command)).toBe(onHost(outside, 'true'))
    expect(git(stage, stage.project, 'rev-parse', 'HEAD^{tree}')).toBe(git(stage, outside, 'rev-parse', 'HEAD^{tree}'))
  })

  test('a version that only a cell committed is never written, neither in its run nor in a later one', async () => {
    using stage = makeRepository(who)
    const plant = `git switch -qc planted && id=$(echo 'touch /tmp/pwned' | git hash-object -w --stdin) &&
      git update-index --cacheinfo 100644,$id,.envrc && git commit -qm planted && git rev-parse HEAD:.envrc`
    await inCell(stage, plant, { args })
    expect(stage.read('.envrc')).toBe('base\n')
    await inCell(stage, 'git switch -q -f main', { args })
    const { stderr } = await paddock(stage, ['run', ...args, '--', 'git', 'switch', '-q', 'planted'])
    expect(stage.read('.envrc')).toBe('base\n')
    expect(stderr).toContain(
      'left as they are, though git has another version checked out: .envrc; to take that version: git checkout -- .envrc',
    )
  })

  test('of a work tree that a cell adds, versions of the user stay, and those of a cell are quarantined', async () => {
    using stage = makeRepository(who, 'echo /inside >> .git/info/exclude; git worktree add -q --detach before')
    const script = `git worktree add -q inside -b topic feat && cd inside && echo 3 >> a && git commit -qam work
      git worktree add -q ../mixed clash && cd ../mixed && echo evil > .envrc && echo evil > .mcp.json && git add -A && git commit -qm mixed`
    const { code, stderr } = await inCell(stage, script, { args })
    expect(code, stderr).toBe(0)
    expect(git(stage, path.join(stage.project, 'inside'), 'status', '--porcelain')).toBe('')
    expect(stage.read('inside/.envrc')).toBe('base\nfeat\n')
    expect(stage.read('inside/pkg/.vscode/settings.json')).toBe('sub\n')
    expect(stage.read('mixed/.vscode/settings.json')).toBe('{}\n')
    expect(existsSync(path.join(stage.project, 'mixed/.envrc'))).toBe(false)
    expect(existsSync(path.join(stage.project, 'mixed/.mcp.json'))).toBe(false)
  })

  test('a file that a cell removes only from the index stays', async () => {
    using stage = makeRepository(who)
    const words = ['run', ...args, '--', 'sh', '-c', 'git rm -q --cached --sparse .envrc && git commit -qm untracked']
    const { stderr } = await paddock(stage, words)
    expect(stderr).toContain('left as they are, though the agent removed them in git: .envrc; to delete them: rm -- .envrc')
    expect(stage.read('.envrc')).toBe('base\n')
    expect(git(stage, stage.project, 'status', '--porcelain')).toBe('?? .envrc\n')
  })

  test('the user’s own sparse checkout stays, and so do its cones', async () => {
    using stage = makeRepository(who, 'git sparse-checkout set pkg')
    const expected = bare(stage, 'git switch feat && echo 3 >> pkg/f && git commit -qam work')
    const { code } = await inCell(stage, 'git switch feat && echo 3 >> pkg/f && git commit -qam work', { args })
    expect(code).toBe(0)
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
  })

  test('new protected files that the patterns of the user’s own sparse checkout hide are named with the command that ends it', async () => {
    using stage = makeRepository(who, "git sparse-checkout set --no-cone '/*' '!/pkg/'")
    const script = 'git switch -q feat && echo 3 >> a && git commit -qam work'
    const expected = bare(stage, script)
    const words = ['run', ...args, '--strict-names', '--', 'sh', '-c', script]
    const { code, stderr } = await paddock(stage, words)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(
      'hidden until your sparse checkout is applied again: .mcp.json, .vscode/tasks.json; to do so: git sparse-checkout reapply',
    )
    git(stage, stage.project, 'sparse-checkout', 'reapply')
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
    expect((await paddock(stage, ['run', ...args, '--', 'git', 'status'])).stderr).not.toContain('hidden')
  })

  test('a patch of a protected file changes nothing, and what is in progress is named with the command that ends it', async () => {
    using stage = makeRepository(who, 'git format-patch -q -1 --stdout feat > ../patch')
    const words = ['run', ...args, '--strict-names', '--ro', path.join(stage.root, 'patch'), '--', 'sh', '-c']
    const applied = await paddock(stage, [...words, 'git apply ../patch || git apply --index ../patch'])
    expect(applied.code).not.toBe(0)
    expect(git(stage, stage.project, 'status', '--porcelain')).toBe('')
    const { code, stderr } = await paddock(stage, [...words, 'git am -q ../patch'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('to end the am: git am --continue or, to undo it, git am --abort')
    git(stage, stage.project, 'am', '--abort')
    expect(git(stage, stage.project, 'status', '--porcelain')).toBe('')
  })

  test.each(['git restore -s feat -SW .', 'git checkout feat -- .', 'git checkout feat -- .envrc .mcp.json'])(
    'files of another commit that git could not write are named with the command that writes them: %s',
    async (script) => {
      using stage = makeRepository(who)
      const expected = bare(stage, script)
      const { code, stderr } = await paddock(stage, ['run', ...args, '--', 'sh', '-c', script])
      expect(code).not.toBe(0)
      const command = /though git has another version checked out: .*; to take that version: (git checkout -- .*)/.exec(stderr)?.[1] ?? ''
      git(stage, stage.project, ...command.split(' ').slice(1))
      expect(stateOf(stage, stage.project)).toEqual(expected.state)
    },
  )

  test.each([
    [
      'sha256',
      'rm -rf .git; git init -qb main --object-format=sha256 .; git add .; git commit -qm base; git switch -qc feat; echo f >> .envrc; git commit -qam f; git switch -q main',
    ],
    ['an index of version 4', 'git update-index --index-version 4'],
  ])('of a repository with %s', async (_, before) => {
    using stage = makeRepository(who, before)
    const expected = bare(stage, 'git switch -q feat && echo 3 >> pkg/f && git commit -qam work')
    await inCell(stage, 'git switch -q feat && echo 3 >> pkg/f && git commit -qam work', { args })
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
  })

  test.each(['sha1', 'sha256'])('a work tree that a cell adds keeps its index, in a repository with %s', async (format) => {
    const before = `rm -rf .git; git init -qb main --object-format=${format} .; git add .; git commit -qm base`
    using stage = makeRepository(who, before)
    await inCell(stage, 'git worktree add -q tree -b task && cd tree && echo w >> a && git commit -qam work', { args })
    expect(git(stage, path.join(stage.project, 'tree'), 'status', '--porcelain')).toBe('')
    expect(git(stage, path.join(stage.project, 'tree'), 'ls-files')).toContain('.envrc')
  })

  test('a sparse checkout in a cell is refused before it changes the work tree', async () => {
    using stage = makeRepository(who)
    const expected = bare(stage, 'git switch -q feat')
    const { code, stderr } = await paddock(stage, ['run', ...args, '--', 'sh', '-c', 'git switch -q feat && git sparse-checkout set pkg'])
    expect(code).toBe(128)
    expect(stderr).toContain("info/sparse-checkout.lock': File exists")
    expect(stateOf(stage, stage.project)).toEqual(expected.state)
    expect(readdirSync(path.join(stage.project, '.git/info'))).not.toContain('sparse-checkout.lock')
  })

  test('in a partial clone, whose objects of held files git in the cell did not fetch, the files are left and named', async () => {
    const clone = `git config uploadpack.allowFilter true; cp -a .git ../origin; rm -rf .git
      git clone -q --filter=blob:none --no-checkout "file://$PWD/../origin" ../part; mv ../part/.git .
      git branch -q feat origin/feat; git checkout -q -f main`
    using stage = makeRepository(who, clone)
    const script = 'git switch -q feat && echo 3 >> pkg/f && git commit -qam work'
    const words = ['run', ...args, '--ro', path.join(stage.root, 'origin'), '--', 'sh', '-c', script]
    const { code, stderr } = await paddock(stage, words)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('; to take that version: git checkout -- .envrc .vscode/settings.json .vscode/tasks.json')
    git(stage, stage.project, 'checkout', '--', '.envrc', '.vscode')
    expect(git(stage, stage.project, 'status', '--porcelain')).toBe('')
  })

  test('of a linked work tree and of a submodule with protected files of its own', async () => {
    using stage = makeRepository(who, 'git worktree add -q ../linked -b linked')
    const linked = { ...stage, project: path.join(stage.root, 'linked') }
    const { code } = await inCell(linked, 'git reset -q --hard feat && echo 3 >> a && git commit -qam work', { args })
    expect(code).toBe(0)
    expect(git(stage, linked.project, 'status', '--porcelain')).toBe('')
    expect(readFileSync(path.join(linked.project, '.envrc'), 'utf8')).toBe('base\nfeat\n')
    const outer = makeStage(who)
    using _ = outer
    const [program = 'sh', ...rest] = [
      ...becoming(who),
      'sh',
      '-ec',
      `git init -q .; git -c protocol.file.allow=always submodule -q add ${stage.project} sub; git commit -qm sub`,
    ]
    outer.own()
    execFileSync(program, rest, { cwd: outer.project, env: { ...outer.env, ...identity }, stdio: ['ignore', 'ignore', 'inherit'] })
    const inSub = await inCell(outer, 'cd sub && git switch -q feat && echo 3 >> a && git commit -qam work', { args })
    expect(inSub.code, inSub.stderr).toBe(0)
    expect(git(outer, path.join(outer.project, 'sub'), 'status', '--porcelain')).toBe('')
  })

  test('commits of the user are known as such after a run in a repository without commits', async () => {
    using stage = makeRepository(who, 'cp -a .git ../git; rm -rf .git; git init -qb main .')
    await inCell(stage, 'echo 1 > unrelated && git add unrelated && git commit -qm first', { args })
    const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-ec', 'rm -rf .git unrelated; mv ../git .git; git checkout -qf main']
    execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity } })
    await inCell(stage, 'git switch -q feat', { args })
    expect(stage.read('.envrc')).toBe('base\nfeat\n')
  })

  test('objects that a cell wrote under the IDs of the user’s objects are not written out', async () => {
    using stage = makeRepository(who)
    const script = `id=$(git rev-parse feat:.envrc); file=.git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)
      other=$(echo planted | git hash-object -w --stdin); rm -f $file
      cp .git/objects/$(echo $other | cut -c1-2)/$(echo $other | cut -c3-) $file; git switch -q feat; true`
    await inCell(stage, script, { args })
    expect(stage.read('.envrc')).toBe('base\n')
  })

  test('a bit that the user set stays, and so does the user’s content', async () => {
    using stage = makeRepository(who, 'git update-index --skip-worktree .envrc pkg/f; echo mine >> .envrc; echo mine >> pkg/f')
    await inCell(stage, 'git switch -q none; git switch -q main; true', { args })
    expect(stage.read('.envrc')).toBe('base\nmine\n')
    expect(stage.read('pkg/f')).toBe('p\nmine\n')
    expect(git(stage, stage.project, 'ls-files', '-v').match(/^S .*/gm)).toEqual(['S .envrc', 'S pkg/f'])
  })

  test.each([
    ['edits', 'echo mine >> .envrc', 'M'],
    ['removes', 'rm .envrc', 'D'],
  ])('a held file that the user %s is shown and committed by git on the host while the cell runs', async (_, change, status) => {
    using stage = makeRepository(who)
    const script = 'git switch -q none; git switch -q main; echo > ready; until [ -e go ]; do sleep 0.1; done'
    const child = startPaddock(stage, ['run', ...args, '--', 'sh', '-c', script])
    await expect.poll(() => existsSync(path.join(stage.project, 'ready'))).toBe(true)
    expect(git(stage, stage.project, 'ls-files', '-v', '.envrc')).toBe('S .envrc\n')
    const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-c', change]
    execFileSync(program, rest, { cwd: stage.project, env: stage.env })
    await expect.poll(() => git(stage, stage.project, 'status', '--porcelain', '-uno')).toBe(` ${status} .envrc\n`)
    git(stage, stage.project, 'commit', '-qam', 'mine')
    stage.put('go', '')
    await new Promise((resolve) => child.once('close', resolve))
    expect(git(stage, stage.project, 'show', '--format=', '--name-status', 'HEAD')).toBe(`${status}\t.envrc\n`)
    expect(git(stage, stage.project, 'status', '--porcelain', '-uno')).toBe('')
  })

  test('a held file that git on the host removed is named if git in the cell went back to a commit with it', async () => {
    using stage = makeRepository(who)
    const wait = 'until [ -e go ]; do sleep 0.1; done; rm go'
    const child = startPaddock(stage, ['run', ...args, '--', 'sh', '-c', `git switch -q feat; echo > ready; ${wait}; git switch -q main`])
    let said = ''
    child.stderr?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => existsSync(path.join(stage.project, 'ready'))).toBe(true)
    git(stage, stage.project, 'clean', '-q', '-f', 'ready')
    rmSync(path.join(stage.project, '.envrc'))
    stage.put('go', '')
    await new Promise((resolve) => child.once('close', resolve))
    expect(git(stage, stage.project, 'status', '--porcelain')).toBe(' D .envrc\n')
    expect(said).toContain('left as they are, though git has another version checked out: .envrc;')
  })

  test.each(['by itself', 'though another run starts', 'and without its survivor with the next start'])(
    'after kill -9 of Paddock, git shows the files again, %s',
    async (how) => {
      using stage = makeRepository(who)
      const child = startPaddock(stage, ['run', ...args, '--strict-names', '--', 'sh', '-c', 'git switch -q feat; sleep 60'])
      await expect.poll(() => git(stage, stage.project, 'ls-files', '-v').match(/^S/gm)?.length).toBe(4)
      if (how.endsWith('next start')) process.kill(survivorOf(child.pid ?? 0), 'SIGKILL')
      child.kill('SIGKILL')
      const another = how === 'by itself' ? null : inCell(stage, 'git ls-files -v', { args: [...args, '--strict-names'] })
      // It has the standard error of the killed Paddock.
      await new Promise((resolve) => child.once('close', resolve))
      expect((await another)?.stdout ?? '').not.toMatch(/^S/m)
      expect(git(stage, stage.project, 'ls-files', '-v').match(/^S/gm)).toBeNull()
      expect(stage.read('.envrc')).toBe('base\nfeat\n')
      expect(git(stage, stage.project, 'status', '--porcelain')).toBe('')
    },
  )
})

/** Returns the process that waits for the end of a Paddock. */
function survivorOf(pid: number): number {
  const isSurvivor = (each: string): boolean => readFileSync(`/proc/${each}/cmdline`, 'latin1').includes('read ended')
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').find(isSurvivor)
  if (found === undefined) throw new Error('no survivor')
  return Number(found)
}

test('nothing is written to the index of a repository in which a cell does nothing with git', async () => {
  using stage = makeRepository('user')
  const index = path.join(stage.project, '.git/index')
  const { ino, ctimeMs } = lstatSync(index)
  await inCell(stage, 'echo 1 > z', { args })
  expect(lstatSync(index)).toMatchObject({ ino, ctimeMs })
  expect(existsSync(path.join(stage.project, '.git/info/sparse-checkout'))).toBe(false)
})

import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

const identity = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }

/** Runs a shell script in the project, on the host, as the stage's user. */
function onHost(stage: Stage, script: string): string {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  return execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity }, encoding: 'utf8' })
}

const protectedFiles = ['.envrc', '.vscode/settings.json']

describe.each(everyone)('as %s, while a cell runs', (who) => {
  test.each([
    ['git switch', 'git switch -q feat', true],
    ['git switch there and back', 'git switch -q feat; git switch -q main; git switch -q feat', true],
    ['git merge', 'git merge -q feat', true],
    ['git stash and pop', 'echo mine >> a; git stash -q; git stash pop -q; git checkout -q -- a', true],
    ['git reset --hard', 'git reset -q --hard feat', true],
    ['a protected directory that is made again', 'rm -r .vscode; sleep 0.3; git checkout -q -- .vscode', true],
    ['an editor that saves by renaming', 'sed -i s/base/edited/ .envrc', false],
    ['an editor that saves after git switch', 'git switch -q feat; sleep 0.3; echo edited > .envrc', false],
  ])('%s on the host works, the cell goes on, and it cannot write protected files', async (_, script, isOwnVersion) => {
    using stage = makeStage(who)
    stage.own()
    onHost(
      stage,
      `git init -qb main .; echo 1 > a; echo base > .envrc; mkdir .vscode; echo '{}' > .vscode/settings.json; git add .; git commit -qm base
      git switch -qc feat; echo feat > .envrc; echo '{"f":1}' > .vscode/settings.json; echo '{}' > .mcp.json; echo 2 > a; git add .; git commit -qm feat
      git switch -q main`,
    )
    const inCell = `echo ready; read -r _; for f in ${protectedFiles.join(' ')}; do echo evil >> $f && echo wrote $f; done 2>/dev/null; echo done`
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', inCell])
    let said = ''
    for (const each of [child.stdout, child.stderr]) each?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toContain('ready')
    onHost(stage, script)
    const before = onHost(stage, 'git status --porcelain; cat .envrc')
    await expect.poll(() => onHost(stage, 'cat .envrc')).not.toBe('')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin?.end('go\n')
    expect(await ended).toBe(0)
    expect(said).toContain('done')
    expect(said).not.toContain('wrote')
    if (isOwnVersion) {
      expect(onHost(stage, 'git status --porcelain; cat .envrc')).toBe(before)
      expect(said).not.toContain('quarantined')
    } else {
      // Nobody can prove that the cell did not write into the temporary file of the editor, and no commit has the content.
      expect(stage.read('.envrc.quarantined')).toBe('edited\n')
      expect(said).toContain('.envrc → .envrc.quarantined')
      expect(said).not.toContain('left as they are')
    }
    expect(existsSync(path.join(stage.project, '.git/info/sparse-checkout'))).toBe(false)
    // A stash changes no protected file.
    if (!script.includes('stash'))
      expect((await paddock(stage, ['audit', 'tail', '-n', '50'])).stdout).toContain('again after another program replaced it')
  })
})

describe.each(everyone)('as %s, a held file', (who) => {
  test.each([
    ['a checkout', 'git switch -q feat'],
    ['an edit and a commit', 'echo mine > .envrc; sleep 0.5; git commit -qam mine'],
    ['a removal and a commit', 'git rm -q .envrc; sleep 0.5; git commit -qm none'],
  ])('is held again after %s on the host', async (_, script) => {
    using stage = makeStage(who)
    stage.own()
    onHost(
      stage,
      `git init -qb main .; echo 1 > a; echo base > .envrc; git add .; git commit -qm base
      git switch -qc feat; echo feat > .envrc; git commit -qam feat; git switch -q main; git branch start`,
    )
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', 'echo ready; read -r _; git reset -q --hard start; echo there; read -r _'])
    let said = ''
    child.stdout?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toContain('ready')
    onHost(stage, script)
    await new Promise((resolve) => setTimeout(resolve, 500))
    child.stdin?.write('go\n')
    await expect.poll(() => said).toContain('there')
    await expect.poll(() => onHost(stage, 'git --no-optional-locks status --porcelain .envrc')).toBe('')
    // The file on the disk is that of the branch before, and the user commits everything that git lists.
    onHost(stage, 'echo 2 > a; git commit -qam work')
    expect(onHost(stage, 'git show --name-only --format=')).toBe('a\n')
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin?.end('go\n')
    expect(await ended).toBe(0)
  })
})

describe.each(everyone)('as %s, the cell checks out a version at once after git on the host', (who) => {
  test.each([
    ['has removed a file, and the cell another version', 'git rm -q .envrc; git commit -qm none', 'feat'],
    ['has removed a file, and the cell the same version', 'git merge -q none', 'main~'],
    ['has written another version', 'git merge -q feat', 'main~'],
    ['has committed a removal', 'rm .envrc; sleep 0.6; git commit -qam gone', 'main~'],
    ['has committed an edit', 'echo mine >> .envrc; sleep 0.6; git commit -qam mine', 'main~'],
  ])('%s: the next commit on the host does not change it', async (_, script, other) => {
    using stage = makeStage(who)
    stage.own()
    onHost(
      stage,
      `git init -qb main .; echo 1 > a; echo base > .envrc; git add .; git commit -qm base
      git switch -qc feat; echo feat > .envrc; git commit -qam feat; git switch -q main; git switch -qc none; git rm -q .envrc; git commit -qm none
      git switch -q main; git commit -q --allow-empty -m main; git branch -q start`,
    )
    const inCell = `echo ready; while git diff-tree --quiet start HEAD; do :; done
      until git reset -q --hard ${other.replace('main', 'start')}; do :; done 2>/dev/null; echo there; read -r _`
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', inCell])
    let said = ''
    child.stdout?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toContain('ready')
    onHost(stage, script)
    await expect.poll(() => said).toContain('there')
    // Paddock follows what the cell did to the index as soon as it can, which takes longer on a busy machine.
    await expect.poll(() => onHost(stage, 'git --no-optional-locks status --porcelain .envrc')).toBe('')
    onHost(stage, 'echo 2 > a; git add -A; git commit -qm work')
    expect(onHost(stage, 'git show --name-only --format=')).toBe('a\n')
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin?.end('go\n')
    expect(await ended).toBe(0)
    onHost(stage, 'git checkout -- .envrc')
    expect(stage.read('.envrc')).toBe(other === 'feat' ? 'feat\n' : 'base\n')
  })
})

/** Starts a cell that waits for a line, then tries to change the host's config, and returns what it said at the end. */
async function whileCellRuns(stage: Stage, act: () => void): Promise<string> {
  const attack = `for f in .git/config .git/paddock/config .git/config.lock; do echo '[core] x = evil' >> $f; mv $f $f.x; rm -f $f
    ln -sf /etc/passwd $f; done 2>/dev/null; mv .git/paddock .git/x; rm -rf .git/paddock .git/x`
  const child = startPaddock(stage, ['run', '--egress', 'off', '--', 'sh', '-c', `echo ready; read -r _; ${attack}; echo done`])
  let said = ''
  for (const each of [child.stdout, child.stderr]) each?.on('data', (chunk) => (said += String(chunk)))
  await expect.poll(() => said).toContain('ready')
  act()
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin?.end('go\n')
  expect({ code: await ended, said }).toMatchObject({ code: 0 })
  expect(said).toContain('done')
  return said
}

describe.each(everyone)('as %s, the config of a repository', (who) => {
  const makeRepository = (): Stage => {
    const stage = makeStage(who)
    stage.own()
    onHost(
      stage,
      'git init -qb main .; git commit -q --allow-empty -m base; git init -q --bare ../home/origin.git; git remote add origin ~/origin.git',
    )
    return stage
  }

  test.each([
    ['git config', 'git config user.name me; git config --unset user.name; git config user.email me@example.com'],
    ['git remote and branch', 'git push -qu origin main; git remote add other ~/origin.git; git switch -qc t --track origin/main'],
    ['another work tree', 'git worktree add -q ../home/w -b w; git -C ../home/w config user.name me'],
    ['an editor that writes in place', 'printf "[core]\n\tx = mine\n" >> .git/config'],
  ])('is writable on the host while a cell runs, and only there: %s', async (_, script) => {
    using stage = makeRepository()
    let config = ''
    const said = await whileCellRuns(stage, () => {
      onHost(stage, script)
      config = onHost(stage, 'cat .git/config')
      expect(onHost(stage, 'git status --porcelain')).toBe('')
    })
    expect(said).not.toContain('quarantined: .git/config →')
    expect(lstatSync(path.join(stage.project, '.git/config')).isFile()).toBe(true)
    expect(onHost(stage, 'cat .git/config')).toBe(config)
    expect(existsSync(path.join(stage.project, '.git/paddock'))).toBe(false)
    onHost(stage, 'git config user.name after; git fsck')
  })

  test('is in its place after several cells, and after kill -9 and the next start', async () => {
    using stage = makeRepository()
    const isLink = (): boolean => lstatSync(path.join(stage.project, '.git/config')).isSymbolicLink()
    await whileCellRuns(stage, () => {
      onHost(stage, 'git config user.name one')
    })
    const killed = startPaddock(stage, ['run', '--egress', 'off', '--', 'sh', '-c', 'echo ready; sleep 60'])
    let said = ''
    killed.stdout?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toContain('ready')
    const second = await paddock(stage, ['run', '--egress', 'off', '--', 'sh', '-c', 'git config user.name'])
    expect(second).toMatchObject({ code: 0, stdout: 'one\n' })
    expect(isLink()).toBe(true)
    onHost(stage, 'git config user.name three')
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('close', resolve))
    expect(onHost(stage, 'git config user.name').trim()).toBe('three')
    const { code, stderr } = await paddock(stage, ['run', '--egress', 'off', '--', 'true'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('quarantined') })
    expect(isLink()).toBe(false)
    expect(onHost(stage, 'git config user.name').trim()).toBe('three')
  })

  test('stays in its place while another program holds its lock', async () => {
    using stage = makeRepository()
    onHost(stage, 'touch .git/config.lock')
    expect(
      await paddock(stage, ['run', '--egress', 'off', '--', 'sh', '-c', 'test -f .git/config && ! echo x >> .git/config']),
    ).toMatchObject({
      code: 0,
    })
    expect(existsSync(path.join(stage.project, '.git/config.lock'))).toBe(true)
    expect(existsSync(path.join(stage.project, '.git/paddock'))).toBe(false)
  })
})

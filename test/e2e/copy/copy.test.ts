import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

describe.each(everyone)('paddock run --copy, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    writeFileSync(path.join(stage.home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@host.example\n')
    stage.put('kept', 'kept\n')
    stage.put('src/old', 'old\n')
    stage.put('.gitignore', 'ignored\n')
    git('init', '-q')
    git('add', '.')
    git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'first')
    stage.put('ignored', 'secret\n')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  const git = (...args: string[]): string => execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args]).toString()
  const copies = (): string[] => {
    const directory = path.join(stage.root, 'paddock/state/copies')
    return existsSync(directory) ? readdirSync(directory).filter((each) => !each.includes('.')) : []
  }
  const inCopy = (script: string, args: readonly string[] = []) => inCell(stage, script, { args: ['--copy', ...args] })

  it('shows the copy at the path of the project, which stays as it is until it is applied', async () => {
    const ran = await paddock(stage, [
      'run',
      '--copy',
      '--',
      'sh',
      '-c',
      'pwd; cat ignored; git log --format=%s; echo new > src/new; rm src/old; echo more >> kept; git add -A; git commit -qm second',
    ])
    expect(ran.stdout).toBe(`${stage.project}\nfirst\n`)
    expect(ran.stderr).toMatch(/copy [0-9a-f]{8}: 3 files changed; the project is unchanged/)
    expect(ran.stderr).toMatch(/paddock review .* paddock apply .* paddock discard/)
    expect([git('status', '--short'), git('log', '--format=%s')]).toEqual(['', 'first\n'])
    const review = await paddock(stage, ['review'], { cwd: path.join(stage.project, 'src') })
    expect(review.stdout).toContain('modified  kept · +1 -0\n--- a/kept\n+++ b/kept\n@@ -1,1 +1,2 @@\n kept\n+more\n')
    const applied = await paddock(stage, ['apply', '--commit', '-m', 'by an agent'])
    expect([applied.code, applied.stdout]).toEqual([0, 'wrote    kept\nwrote    src/new\ndeleted  src/old\n'])
    expect([stage.read('kept'), stage.read('src/new'), existsSync(path.join(stage.project, 'src/old'))]).toEqual([
      'kept\nmore\n',
      'new\n',
      false,
    ])
    expect([git('status', '--short'), git('log', '--format=%s by %an')]).toEqual(['', 'by an agent by Ada\nfirst by A\n'])
    const facts = execFileSync('stat', ['-c', '%u %a', path.join(stage.project, 'src'), path.join(stage.project, 'src/new')])
      .toString()
      .split('\n')
    expect(facts[1]?.split(' ')[0]).toBe(facts[0]?.split(' ')[0])
    expect(copies()).toEqual([])
  })

  it('keeps what runs later read-only in the copy, and the project out of the cell', async () => {
    const ran = await inCopy(
      'for each in .envrc .vscode/x .paddock.yaml; do echo x > $each && echo wrote $each; done 2>/dev/null; cat /proc/self/mountinfo',
      ['--strict-names'],
    )
    expect(ran.stdout).not.toContain('wrote')
    // Nothing is mounted from the project's directory.
    expect(ran.stdout.split('\n').filter((each) => each.split(' ')[3]?.endsWith('/project'))).toEqual([])
    expect(copies()).toEqual([])
  })

  it('takes --path relative to the project, wherever it runs', async () => {
    await inCopy('mkdir -p src/deep; echo 1 > src/deep/a; echo 2 > src/b; echo 3 > c')
    const [id = ''] = copies()
    const review = await paddock(stage, ['review', '--json', '--path', 'src/deep', '--path=./c', id], { cwd: '/' })
    expect((JSON.parse(review.stdout) as { changes: { path: string }[] }).changes.map((each) => each.path)).toEqual(['c', 'src/deep/a'])
    for (const outside of ['deep', '../project/nothing', '/etc/passwd']) {
      const refused = await paddock(stage, ['apply', '--path', outside, id], { cwd: path.join(stage.project, 'src') })
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`--path ${outside}: nothing changed there.`)])
    }
    expect((await paddock(stage, ['apply', '--path=src/b', id], { cwd: path.join(stage.project, 'src') })).code).toBe(0)
    expect([stage.read('src/b'), existsSync(path.join(stage.project, 'c'))]).toEqual(['2\n', false])
  })

  it('takes what runs later only when it is named, and refuses where the base moved', async () => {
    await inCopy(
      'echo "all:" > Makefile; mkdir -p deep/.vscode; echo {} > deep/.vscode/tasks.json; echo more >> kept; ln -s /etc out; printf "a\\033[2J" > src/esc',
    )
    const refused = await paddock(stage, ['apply'])
    expect(refused.code).toBe(2)
    for (const each of ['Makefile (make runs it)', 'out (it is a link that leads out of the project)'])
      expect(refused.stderr).toContain(each)
    expect(git('status', '--short')).toBe('')
    const review = await paddock(stage, ['review'])
    expect(review.stdout).toContain('RUNS LATER: make runs it')
    expect(review.stdout).toContain('deep/.vscode.quarantined')
    expect(review.stdout).not.toContain('\u001b')
    expect((await paddock(stage, ['apply', 'Makefile', 'src'])).code).toBe(0)
    expect(stage.read('Makefile')).toBe('all:\n')
    stage.put('kept', 'moved\n')
    const moved = await paddock(stage, ['apply', '--run-later'])
    expect([moved.code, moved.stderr.includes('no longer what was copied: kept')]).toEqual([1, true])
    expect([stage.read('kept'), existsSync(path.join(stage.project, 'out'))]).toEqual(['moved\n', false])
    const json = JSON.parse((await paddock(stage, ['review', '--json'])).stdout) as { changes: { path: string; baseMoved: boolean }[] }
    expect(json.changes.map((each) => [each.path, each.baseMoved])).toEqual([
      ['kept', true],
      ['out', false],
    ])
    expect((await paddock(stage, ['discard'])).code).toBe(0)
    expect(copies()).toEqual([])
  })

  it('is not applied while its cell runs, nor are mounts taken that reach the project', async () => {
    const child = startPaddock(stage, ['run', '--quiet', '--copy', '--', 'sh', '-c', 'echo more >> kept; echo ready; sleep 60'])
    try {
      await new Promise((resolve) => child.stdout?.once('data', resolve))
      const refused = await paddock(stage, ['apply'])
      expect([refused.code, refused.stderr.includes('A cell is running')]).toEqual([125, true])
    } finally {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('close', resolve))
    }
    expect((await paddock(stage, ['apply'])).code).toBe(0)
    for (const each of ['.', 'src', '..']) {
      const ran = await inCopy('true', ['--rw', each])
      expect([each, ran.code]).toEqual([each, 2])
    }
    expect(copies()).toEqual([])
  })

  it('directories that the agent closed are searched all the same and not deleted; huge sparse files are not read', async () => {
    await inCopy('truncate -s 10G giant; chmod 000 src; rm .gitignore')
    const { stdout, code } = await paddock(stage, ['review', '--stat'])
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((each) => each.startsWith('deleted'))).toEqual(['deleted   .gitignore'])
    expect(stdout).toContain('left out  giant')
    expect(stdout).not.toContain('src')
    expect((await paddock(stage, ['discard'])).code).toBe(0)
    expect(copies()).toEqual([])
  })

  it('ignored files are copied by choice, and a project without git as a whole', async () => {
    const ran = await inCopy('cat ignored; echo x >> ignored', ['--copy-ignored'])
    expect(ran.stdout).toBe('secret\n')
    expect((await paddock(stage, ['apply', '--commit'])).code).toBe(1)
    expect([stage.read('ignored'), git('status', '--short')]).toEqual(['secret\nx\n', ''])
    await paddock(stage, ['discard'])
    const plain = path.join(stage.root, 'plain')
    mkdirSync(plain)
    writeFileSync(path.join(plain, 'file'), 'plain\n')
    stage.own()
    const there = await paddock(stage, ['run', '--quiet', '--copy', '--', 'sh', '-c', 'cat file; echo x > new'], { cwd: plain })
    expect(there.stdout).toBe('plain\n')
    expect((await paddock(stage, ['apply', '--commit'], { cwd: plain })).code).toBe(2)
    expect((await paddock(stage, ['apply'], { cwd: plain })).code).toBe(0)
    expect(readdirSync(plain)).toEqual(['file', 'new'])
  })
})

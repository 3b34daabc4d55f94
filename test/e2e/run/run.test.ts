import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

describe.each(everyone)('paddock run, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const git = (...args: string[]): string => execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args]).toString()

  it('passes output and input through untouched, and says its own on standard error', async () => {
    const binary = '\u0000\u001b[31mred\u001b[0m\r\n'
    const ran = await paddock(stage, ['run', '--', 'sh', '-c', 'cat; echo error >&2'], { input: binary })
    expect(ran.stdout).toBe(binary)
    const lines = ran.stderr.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^paddock: L2 · bubblewrap · egress allowlist \(nothing\) · sees .*project \(rw\)$/)
    expect(lines[1]).toBe('error')
    expect(lines[2]).toMatch(/^paddock: done after .* · no file changed$/)
    expect((await inCell(stage, 'echo hello')).stderr).toBe('')
  })

  it('standard streams can be opened by name', async () => {
    stage.put('input', 'text')
    stage.own()
    for (const shell of ['printf text |', 'cat input |', '< input']) {
      const ran = await inCell(stage, 'sleep 0.1; cat /dev/stdin > /dev/stdout; echo e > /dev/stderr', { shell })
      expect([shell, ran.stdout, ran.stderr]).toEqual([shell, 'text', 'e\n'])
    }
  })

  it('a megabyte each way is whole', async () => {
    const input = 'x'.repeat(1_000_000)
    const ran = await inCell(stage, 'cat', { input })
    expect(ran.stdout.length).toBe(1_000_000)
  })

  it('a prompt goes to standard input and is in no argument', async () => {
    stage.put('task.txt', 'from a file')
    stage.own()
    const ran = await paddock(stage, [
      'run',
      '--quiet',
      '--prompt-file',
      'task.txt',
      '--',
      'sh',
      '-c',
      'cat; tr "\\0" " " < /proc/1/cmdline',
    ])
    expect(ran.stdout).toContain('from a file')
    expect(ran.stdout.split('from a file')).toHaveLength(2)
  })

  it('git works, and files keep the owner they had', async () => {
    stage.put('a.txt', 'one\n')
    stage.own()
    git('init', '-q')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@example.org')
    stage.own()
    const ran = await inCell(
      stage,
      'git add -A && git commit -qm first && echo two >> a.txt && git commit -qam second && git checkout -q -b other && git gc -q && git status --short',
    )
    expect([ran.stderr, ran.stdout]).toEqual(['', ''])
    expect(git('log', '--format=%s', 'other')).toBe('second\nfirst\n')
    expect(git('ls-files')).toBe('a.txt\n')
    const owner = lstatSync(stage.project)
    for (const each of ['a.txt', '.git/HEAD', '.git/packed-refs']) {
      const { uid, gid } = lstatSync(path.join(stage.project, each))
      expect([uid, gid]).toEqual([owner.uid, owner.gid])
    }
  })

  it('protected paths cannot be written in any way, existing or not', async () => {
    stage.put('sub/deep/.envrc', 'old')
    stage.put('.vscode/tasks.json', 'old')
    stage.own()
    git('init', '-q')
    stage.own()
    const before = readFileSync(path.join(stage.project, '.git/config'), 'utf8')
    const attempts = [
      'echo bad > .git/commondir',
      'mv .git .git-away',
      'rm -rf .git',
      'echo bad > .envrc',
      'rm -f .envrc',
      'echo bad > new && mv -f new .envrc',
      'ln -f task .mcp.json',
      'mkdir -p .claude/hooks',
      'echo bad > .vscode/tasks.json',
      'mv .vscode away',
      'echo bad > sub/deep/.envrc',
      'mv sub/deep sub/away',
      'mv sub away',
      'rm -rf sub/deep',
      'mount --bind /tmp .git/hooks',
    ]
    const ran = await inCell(
      stage,
      `touch task; git config core.fsmonitor bad; echo bad > .git/config; ${attempts.map((each) => `(${each}) 2>/dev/null && echo "WORKED: ${each.replaceAll('"', '')}"`).join('; ')}; true`,
      { args: ['--strict-names'] },
    )
    expect(ran.stdout).toBe('')
    expect(readFileSync(path.join(stage.project, '.git/config'), 'utf8')).toBe(before)
    expect(readFileSync(path.join(stage.project, 'sub/deep/.envrc'), 'utf8')).toBe('old')
    expect(readFileSync(path.join(stage.project, '.vscode/tasks.json'), 'utf8')).toBe('old')
    // Entries that existed only for the run of the cell are removed.
    for (const each of ['.envrc', '.mcp.json', '.claude', '.idea', '.git/commondir', '.git/config.worktree'])
      expect(existsSync(path.join(stage.project, each))).toBe(false)
  })

  it('a protected path that is created deep in the project is quarantined, and the last line says so', async () => {
    const ran = await paddock(stage, [
      'run',
      '--',
      'sh',
      '-c',
      'mkdir -p x/y && echo run > x/y/.envrc && git init -q x/repo && echo "{}" > package.json && echo all: > Makefile',
    ])
    expect(ran.stderr).toContain('x/y/.envrc → x/y/.envrc.quarantined')
    expect(ran.stderr).toContain('new repositories, rewritten so that they run nothing: x/repo/.git\n')
    expect(ran.stderr).toMatch(/can run on your machine:.*Makefile \(make runs it\).*package\.json \(npm runs its scripts\)/)
    expect(existsSync(path.join(stage.project, 'x/y/.envrc'))).toBe(false)
  })

  it('disguised repositories, and entries moved in from directories that are not searched, are disarmed too', async () => {
    const ran = await inCell(
      stage,
      'mkdir -p lib/objects lib/refs node_modules/x/.vscode; echo "ref: refs/heads/x" > lib/HEAD; echo "[core] fsmonitor = bad" > lib/config; echo bad > node_modules/x/.vscode/tasks.json; mv node_modules/x tools',
    )
    expect(ran.code).toBe(0)
    expect(readFileSync(path.join(stage.project, 'lib/config'), 'utf8')).toBe('')
    expect(existsSync(path.join(stage.project, 'tools/.vscode'))).toBe(false)
  })

  it('hooks of the project’s own directory and the config of nested repositories cannot be written', async () => {
    stage.put('.githooks/pre-commit', 'old')
    stage.put('bare/HEAD', 'ref: refs/heads/main')
    stage.put('bare/refs/x', '')
    stage.put('bare/objects/x', '')
    stage.put('bare/config', 'old')
    stage.own()
    git('init', '-q')
    git('config', 'core.hooksPath', '.githooks')
    stage.own()
    const attempts = ['echo bad > .githooks/pre-commit', 'mv .githooks away', 'echo bad > bare/config', 'mv bare away']
    const ran = await inCell(stage, `${attempts.map((each) => `(${each}) 2>/dev/null && echo "WORKED: ${each}"`).join('; ')}; true`)
    expect(ran.stdout).toBe('')
    expect(readFileSync(path.join(stage.project, 'bare/config'), 'utf8')).toBe('old')
  })

  it('a report is not led elsewhere by a link', async () => {
    const precious = path.join(stage.root, 'precious')
    writeFileSync(precious, 'precious')
    mkdirSync(path.join(stage.project, 'sub'))
    stage.own()
    await inCell(stage, `ln -s ${precious} report.json; mv sub away; ln -s ${stage.root} sub`, { args: ['--report', 'report.json'] })
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect(JSON.parse(readFileSync(path.join(stage.project, 'report.json'), 'utf8')).schemaVersion).toBe(1)
    mkdirSync(path.join(stage.project, 'sub2'))
    stage.own()
    await inCell(stage, `mv sub2 away2; ln -s ${stage.root} sub2`, { args: ['--report', 'sub2/report.json'] })
    expect(existsSync(path.join(stage.root, 'report.json'))).toBe(false)
    expect(existsSync(path.join(stage.project, 'away2/report.json'))).toBe(true)
  })

  it('mounts are what they were asked for', async () => {
    for (const each of ['ro', 'rw']) {
      mkdirSync(path.join(stage.root, each))
      writeFileSync(path.join(stage.root, each, 'file'), each, { mode: 0o600 })
    }
    if (who === 'user')
      execFileSync('chown', ['-R', '--reference', stage.project, path.join(stage.root, 'ro'), path.join(stage.root, 'rw')])
    const { root } = stage
    const ran = await inCell(stage, `cat ${root}/ro/file ${root}/rw/file; echo bad > ${root}/ro/file; echo good > ${root}/rw/new`, {
      args: ['--ro', `${root}/ro`, '--rw', `${root}/rw`],
    })
    expect(ran.stdout).toBe('rorw')
    expect(ran.stderr).toContain('Read-only file system')
    expect(readFileSync(path.join(root, 'rw/new'), 'utf8')).toBe('good\n')
    expect(lstatSync(path.join(root, 'rw/new')).uid).toBe(lstatSync(path.join(root, 'rw')).uid)
  })

  it('a published port is reachable on the loopback of the host, and gone afterwards', async () => {
    const port = 20_000 + (process.pid % 20_000)
    const serve = `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 3000) or die; $| = 1; print "ready\\n"; while (my $c = $s->accept) { my $l = <$c>; print $c "you said $l"; close $c }'`
    for (const egress of ['off', 'allowlist']) {
      const child = startPaddock(stage, ['run', '--quiet', '--egress', egress, '--publish', `3000:${port}`, '--', 'sh', '-c', serve])
      await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()))
      const answers = await Promise.all([1, 2, 3].map((each) => ask(port, `hello ${each}\n`)))
      expect(answers).toEqual(['you said hello 1\n', 'you said hello 2\n', 'you said hello 3\n'])
      child.kill('SIGTERM')
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130)
      await expect(ask(port, 'again\n')).rejects.toThrow('ECONNREFUSED')
    }
  })

  it('--dry-run says everything and starts nothing', async () => {
    const ran = await paddock(stage, ['run', '--dry-run', '--json', '--memory', '1GiB', '--', 'touch', 'made'])
    const plan = JSON.parse(ran.stdout)
    expect(plan).toMatchObject({
      schemaVersion: 1,
      posture: 'L2',
      backend: 'bubblewrap',
      command: ['touch', 'made'],
      cwd: stage.project,
      limits: { memory: { value: 1024 ** 3, asked: true } },
    })
    expect(existsSync(path.join(stage.project, 'made'))).toBe(false)
    expect((await paddock(stage, ['run', '--dry-run', '--', 'true'])).stdout).toContain('nothing else exists in the cell')
  })

  it('bad input gets one sentence, a hint and exit code 2', async () => {
    const cases: [string[], RegExp][] = [
      [['run'], /needs an agent/],
      [['run', 'clod'], /There is no agent "clod"/],
      [['run', '--egress', 'some', '--', 'true'], /--egress some: there is no such value/],
      [['run', '--allow', '*.com', '--', 'true'], /\*\.com/],
      [['run', '--allow', 'exa mple', '--', 'true'], /--allow/],
      [['run', '--memory', 'lots', '--', 'true'], /--memory lots cannot be read/],
      [['run', '--ro', '/nowhere/at/all', '--', 'true'], /there is nothing at that path/],
      [['run', '--env', 'NOT_SET_ANYWHERE', '--', 'true'], /not set in your environment/],
      [['run', '--publish', '99999', '--', 'true'], /not a port/],
      [['run', '--allow-degraded', 'everything', '--', 'true'], /no such guarantee/],
      [['run', '--ro', '/', '--', 'true'], /cannot be mounted/],
      [['run', '--ro', '/proc', '--', 'true'], /cannot be mounted/],
      [['run', '--rw', stage.home, '--', 'true'], /your home directory/],
      [['run', '--ro', stage.env['PADDOCK_HOME'] ?? '', '--', 'true'], /Paddock's own state/],
    ]
    for (const [args, message] of cases) {
      const ran = await paddock(stage, args)
      expect([args, ran.code]).toEqual([args, 2])
      expect(ran.stderr).toMatch(message)
      expect(ran.stderr).toMatch(/\n {2}hint: /)
      expect(ran.stdout).toBe('')
    }
    const outside = await paddock(stage, ['run', '--', 'true'], { cwd: stage.home })
    expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('your home directory')])
  })

  it('an agent that is not installed is 127 with how to get it', async () => {
    const ran = await paddock(stage, ['run', 'claude', '--prompt', 'x'])
    expect([ran.code, ran.stderr]).toEqual([127, expect.stringContaining('npm install -g')])
  })

  it('doctor starts a real cell and says what it saw', async () => {
    const ran = await paddock(stage, ['doctor', '--json'])
    const diagnosis = JSON.parse(ran.stdout)
    expect([ran.code, diagnosis.ok]).toEqual([0, true])
    expect(diagnosis.checks.find((each: { name: string }) => each.name === 'cell').detail).toMatch(/a real cell started/)
    expect(diagnosis.limits).toHaveLength(7)
  })
})

function ask(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

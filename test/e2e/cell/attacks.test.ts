import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'

/** Escapes that were found by trying. Each of them worked once. */
describe.each(everyone)('attacks of an agent, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const repository = (): void => {
    stage.own()
    execFileSync('git', ['-c', 'safe.directory=*', 'init', '-q', stage.project])
    stage.own()
  }
  const secret = (): string => {
    const directory = path.join(stage.root, 'elsewhere')
    mkdirSync(path.join(directory, 'sub'), { recursive: true })
    writeFileSync(path.join(directory, 'secret'), 'canary')
    writeFileSync(path.join(directory, 'sub/config'), 'canary')
    stage.own()
    return directory
  }

  it('a link in .git/worktrees or .git/modules mounts nothing of the host', async () => {
    const elsewhere = secret()
    for (const plant of [
      'mkdir -p .git/worktrees && ln -s TARGET .git/worktrees/evil',
      'ln -s TARGET .git/worktrees',
      'mkdir -p .git/modules/x; ln -s TARGET .git/modules/evil',
      'ln -s TARGET .git/modules',
    ]) {
      execFileSync('rm', ['-rf', path.join(stage.project, '.git')])
      repository()
      await inCell(stage, plant.replace('TARGET', elsewhere))
      const ran = await inCell(stage, `cat ${elsewhere}/secret ${elsewhere}/sub/config; echo bad > ${elsewhere}/planted; true`)
      expect([plant, ran.stdout]).toEqual([plant, ''])
      expect(readdirSync(elsewhere).sort()).toEqual(['secret', 'sub'])
    }
  })

  it('a link in the private home leads no mount elsewhere', async () => {
    const elsewhere = secret()
    mkdirSync(path.join(stage.home, '.cargo/bin'), { recursive: true })
    stage.own()
    await inCell(stage, `mkdir -p ~/.c2; rm -rf ~/.cargo 2>/dev/null; mv ~/.cargo ~/.c3 2>/dev/null; ln -s ${elsewhere} ~/.cargo`)
    const ran = await inCell(stage, 'echo ran')
    expect(ran.stdout === 'ran\n' || /private home, \S+ is behind a symbolic link/.test(ran.stderr)).toBe(true)
    expect(readdirSync(path.join(elsewhere, 'sub'))).toEqual(['config'])
  })

  it('no file becomes set-user-ID or set-group-ID', async () => {
    const ways = [
      'chmod 4755 f',
      'chmod 2755 f',
      'chmod u+s f',
      'install -m 4755 /usr/bin/id g',
      'mkdir -m 2755 d',
      'cp -p /usr/bin/id h && chmod 6755 h',
      `perl -e 'use Fcntl; sysopen(F, "i", O_CREAT|O_WRONLY, 04755)'`,
      `perl -e 'syscall(${process.arch === 'arm64' ? 53 : 268}, -100, "f", 04755)'`,
    ]
    await inCell(stage, `touch f; ${ways.map((each) => `(${each})`).join('; ')}; true`)
    expect(execFileSync('find', [stage.root, '-perm', '/6000']).toString()).toBe('')
  })

  it('the init of a cell cannot be tampered with by ptrace', async () => {
    const numbers = process.arch === 'arm64' ? [117, 271, 438] : [101, 311, 438]
    const ran = await paddock(stage, [
      'run',
      '--quiet',
      '--',
      'perl',
      '-MErrno',
      '-e',
      numbers.map((each) => `print syscall(${each}, 16, 1, 0, 0, 0, 0) == -1 && $!{EPERM} ? "closed " : "OPEN ";`).join(''),
    ])
    expect(ran.stdout).toBe('closed closed closed ')
  })

  it('nothing outlives a cell whose init was tampered with through its memory', async () => {
    // Whatever writing to /proc/1/mem does, all processes end with the command.
    const mark = `9${process.pid}.7`
    await inCell(
      stage,
      `setsid sleep ${mark} & perl -e 'open(M, "+<", "/proc/1/mem") or exit; open(P, "<", "/proc/1/maps"); while (<P>) { if (/^([0-9a-f]+)-\\S+ rw/) { seek M, hex $1, 0; syswrite M, "\\0" x 4096 } }'; exit 0`,
    )
    expect(execFileSync('sh', ['-c', `ps -e -o args= | grep -c '^sleep ${mark}' || true`]).toString()).toBe('0\n')
  })

  it('disguised repositories are laundered or quarantined at every place, including the root', async () => {
    const bare = (at: string): string =>
      `mkdir -p '${at}/objects' '${at}/refs'; echo 'ref: refs/heads/x' > '${at}/HEAD'; echo '[core] fsmonitor = bad' > '${at}/config'`
    const deep = Array.from({ length: 40 }, (_, n) => `d${n}`).join('/')
    await inCell(
      stage,
      `${bare('.')}; ${bare('src/lib')}; ${bare(deep)}; git init -q "$(printf 'x\\377')/r"; mkdir -p "$(printf 'x\\377')" && git init -q "$(printf 'x\\377')/r"`,
    )
    expect(existsSync(path.join(stage.project, 'HEAD'))).toBe(false)
    for (const each of ['src/lib', deep]) expect(readFileSync(path.join(stage.project, each, 'config'), 'utf8')).toBe('')
    expect(execFileSync('find', [stage.project, '-name', '.git', '-printf', '.']).toString()).toBe('.')
  })

  it('files that the repository’s configuration includes cannot be written', async () => {
    writeFileSync(path.join(stage.project, '.gitconfig'), 'old')
    repository()
    execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, 'config', 'include.path', '../.gitconfig'])
    stage.own()
    await inCell(stage, 'echo bad > .gitconfig; mv .gitconfig away; true')
    expect(readFileSync(path.join(stage.project, '.gitconfig'), 'utf8')).toBe('old')
  })

  it('hooks and includes that the user’s own configuration of git sends into the project cannot be written', async () => {
    writeFileSync(path.join(stage.home, '.gitconfig'), '[core]\n\thooksPath = .team-hooks\n')
    writeFileSync(path.join(stage.project, '.one'), '[include]\n\tpath = .two\n')
    repository()
    execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, 'config', 'include.path', '../.one'])
    stage.own()
    await inCell(stage, 'mkdir -p .team-hooks; echo bad > .team-hooks/pre-commit; echo bad > .two; echo bad > .one; true')
    expect(readdirSync(stage.project).sort()).toEqual(['.git', '.one'])
    expect(readFileSync(path.join(stage.project, '.one'), 'utf8')).toContain('.two')
  })

  it('another tree that the cell may write to is protected in the same way', async () => {
    const other = path.join(stage.root, 'other')
    mkdirSync(other)
    stage.own()
    execFileSync('git', ['-c', 'safe.directory=*', 'init', '-q', other])
    stage.own()
    const before = readFileSync(path.join(other, '.git/config'), 'utf8')
    const ran = await paddock(stage, [
      'run',
      '--rw',
      other,
      '--',
      'sh',
      '-c',
      `cd ${other}; echo bad >> .git/config; mkdir .vscode/x; mkdir -p sub && echo x > sub/.envrc; echo fine > file`,
    ])
    expect(readFileSync(path.join(other, '.git/config'), 'utf8')).toBe(before)
    expect(readdirSync(other).sort()).toEqual(['.git', 'file', 'sub'])
    expect(ran.stderr).toContain('.envrc.quarantined')
  })

  it('a home that is reached through a link is still the home', async () => {
    const link = path.join(stage.root, 'home-link')
    symlinkSync(stage.home, link)
    writeFileSync(path.join(stage.home, 'canary'), 'canary')
    stage.own()
    const ran = await inCell(stage, 'cat canary', { cwd: stage.home, env: { HOME: link } })
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    const cache = path.join(stage.env['PADDOCK_HOME'] ?? '', 'cache')
    mkdirSync(cache, { recursive: true })
    stage.own()
    expect((await inCell(stage, 'true', { args: ['--rw', cache] })).code).toBe(2)
  })

  it('nothing in a project makes a cell hang or keeps the next one from starting', async () => {
    const plants = [
      'mkdir d; touch d/f; chmod 600 d',
      'git init -q s/x; chmod 555 s/x',
      'git init -q t/x; ln -s nowhere t/x/.git.quarantined; mkfifo t/x/fifo',
      'mkfifo .gitconfig pipe; mkdir -p q; chmod 000 q',
      'touch "$(printf "n\\nl\\033]0;x\\007.sh")" "$(printf "\\377\\376")"',
    ]
    for (const plant of plants) {
      const ran = await inCell(stage, plant)
      expect([plant, ran.code, ran.stderr]).toEqual([plant, 0, ''])
    }
    const loud = await paddock(stage, ['run', '--', 'sh', '-c', 'touch "$(printf "m\\nl\\033]0;x\\007.sh")"'])
    expect(loud.code).toBe(0)
    expect(loud.stderr.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f]/)
    expect(loud.stderr.split('\n').every((line) => line === '' || line.startsWith('paddock: '))).toBe(true)
    expect(readdirSync(path.join(stage.root, 'paddock/state/cells'))).toEqual([])
  })

  it('sockets beside git’s and editors’ files are covered', async () => {
    repository()
    const server = await import('node:net').then(({ createServer }) => createServer((socket) => socket.end('host')))
    const at = path.join(stage.project, '.git/fsmonitor--daemon.ipc')
    await new Promise<void>((resolve) => server.listen(at, resolve))
    stage.own()
    try {
      expect(lstatSync(at).isSocket()).toBe(true)
      const ran = await inCell(stage, `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => shift) ? "CONNECTED" : "no"' ${at}`)
      expect(ran.stdout).toBe('no')
    } finally {
      server.close()
    }
  })

  const start = (script: string, args: readonly string[] = [], cwd = stage.project) => inCell(stage, script, { args, cwd })
  const afterMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  it('an entry that one cell made is unknown to another after its quarantine', async () => {
    const first = start('mkdir -p sub/.git sub/.vscode; echo x > sub/.vscode/t; sleep 1.2')
    await afterMs(500)
    const second = start(
      'sleep 2; rm -rf sub/.git sub/.vscode; git init -q sub; mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json; true',
    )
    await Promise.all([first, second])
    // A repository that a cell makes stays, laundered.
    expect(readdirSync(path.join(stage.project, 'sub')).filter((each) => !/\.quarantined|^\.git$/.test(each))).toEqual([])
    expect(readdirSync(path.join(stage.project, 'sub/.git/hooks')).filter((each) => !each.endsWith('.sample'))).toEqual([])
  })

  it('the end of a cell in a parent directory leaves the protection of another one below it', async () => {
    stage.put('sub/README', 'a project\n')
    stage.own()
    const below = start(
      'sleep 1.5; echo evil > .envrc; mkdir -p .vscode; echo evil > .vscode/tasks.json; true',
      ['--strict-names'],
      path.join(stage.project, 'sub'),
    )
    await afterMs(400)
    await start('true')
    await below
    expect(readdirSync(path.join(stage.project, 'sub'))).toEqual(['README'])
  })

  it('nothing is renamed outside of the plan when a directory above was swapped for a link', async () => {
    const victim = path.join(stage.root, 'victim')
    mkdirSync(path.join(victim, 'sub/deep/.vscode'), { recursive: true })
    mkdirSync(path.join(stage.project, 'x/sub'), { recursive: true })
    stage.own()
    await start(`mv x y; ln -s ${victim} x; true`, ['--rw', path.join(stage.project, 'x/sub')])
    expect(readdirSync(path.join(victim, 'sub/deep'))).toEqual(['.vscode'])
  })

  it('a set-user-ID program that was written to through a mapping loses the bit', async () => {
    const tool = path.join(stage.project, 'tool')
    writeFileSync(tool, 'x'.repeat(4096))
    stage.own()
    execFileSync('chmod', ['4755', tool])
    await start(
      `perl -e 'open(F, "+<", "tool"); my $p = syscall(${process.arch === 'arm64' ? 222 : 9}, 0, 4096, 3, 1, fileno F, 0); syscall(${process.arch === 'arm64' ? 63 : 0}, do { open(G, "<", "/etc/hostname"); fileno G }, $p, 4)'`,
    )
    expect(lstatSync(tool).mode & 0o6000).toBe(0)
  })

  it('a pipe that another process holds does not block the end', async () => {
    const mark = `31.${process.pid}`
    const running = start(`sleep ${mark}`, ['--timeout', '2s'])
    await until(() => processesRunning('sleep', mark).length === 1)
    // Like another cell that received the descriptor through a socket in a shared project.
    const held = openSync(`/proc/${processesRunning('sleep', mark)[0]}/fd/1`, 'w')
    try {
      expect((await running).code).toBe(124)
    } finally {
      closeSync(held)
    }
  })

  it('an empty .git of another cell does not make its directory a project', async () => {
    mkdirSync(path.join(stage.project, 'x'))
    stage.own()
    const above = start('sleep 1.5')
    await afterMs(400)
    await start('echo out > ../outside; true', [], path.join(stage.project, 'x'))
    await above
    expect(existsSync(path.join(stage.project, 'outside'))).toBe(false)
  })
})

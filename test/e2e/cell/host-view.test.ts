import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

const l1 = ['--posture', 'L1']

describe.each(everyone)('a cell of L1, as %s,', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const inHome = (file: string, content: string): string => {
    const whole = path.join(stage.home, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, content)
    return whole
  }

  it('has the toolchains of the home, loses what it writes there, and works on the project', async () => {
    chmodSync(inHome('tools/bin/builder', '#!/bin/sh\necho built > result; echo "$0"\n'), 0o755)
    inHome('notes', 'before\n')
    stage.own()
    const env = { PATH: `${stage.home}/tools/bin:/usr/bin:/bin` }
    const script = 'builder; echo after > ~/notes; rm ~/tools/bin/builder; mkdir ~/new; cat ~/notes'
    const ran = await inCell(stage, script, { env, args: l1 })
    expect(ran.stdout, ran.stderr).toBe(`${stage.home}/tools/bin/builder\nafter\n`)
    expect(stage.read('result')).toBe('built\n')
    expect(readFileSync(path.join(stage.home, 'notes'), 'utf8')).toBe('before\n')
    expect([existsSync(path.join(stage.home, 'tools/bin/builder')), existsSync(path.join(stage.home, 'new'))]).toEqual([true, false])
    expect((await inCell(stage, 'builder', { env })).code).toBe(127)
  })

  it('has neither the credentials of the home, nor what they are links to, nor the state of Paddock', async () => {
    for (const each of ['.ssh/id_ed25519', '.aws/credentials', 'dotfiles/netrc', '.claude/.credentials.json', '.config/gh/hosts.yml'])
      inHome(each, 'a-real-secret\n')
    inHome('.config/tool/settings', 'not secret\n')
    symlinkSync('dotfiles/netrc', path.join(stage.home, '.netrc'))
    stage.own()
    const ran = await inCell(
      stage,
      `cat ~/.config/tool/settings; grep -rs a-real-secret ~ ; ls -A ~ ~/dotfiles ~/.claude ~/.config; ls ${stage.env['PADDOCK_HOME']}/state; touch ~/.netrc && echo again`,
      { args: l1 },
    )
    expect(ran.stdout).toMatch(/^not secret\n/)
    expect(ran.stdout).not.toMatch(/a-real-secret|\.ssh|\.aws|gh$/m)
    expect(ran.stdout).toMatch(/dotfiles:\nagain\n$/)
    expect(readFileSync(path.join(stage.home, 'dotfiles/netrc'), 'utf8')).toBe('a-real-secret\n')
  })

  it('does not have a login that the user makes while it runs', async () => {
    for (const each of ['.config', '.local/share']) inHome(`${each}/tool/settings`, '')
    stage.own()
    const script = `touch started; until [ -e go ]; do sleep 0.05; done; grep -rs a-real-secret ~; mkdir -p ~/.local/share/own && echo end`
    const ran = inCell(stage, script, { args: l1 })
    while (!existsSync(path.join(stage.project, 'started'))) await new Promise((resolve) => setTimeout(resolve, 50))
    for (const each of ['.netrc', '.aws/credentials', '.config/gh/hosts.yml', '.grok/auth.json', '.local/share/keyrings/login'])
      inHome(each, 'a-real-secret\n')
    stage.own()
    stage.put('go', '')
    expect((await ran).stdout).toBe('end\n')
  })

  it('has no login of other repositories in the home, nor of what git configurations include', async () => {
    const login = (host: string): string => `[remote "origin"]\n\turl = https://me:a-real-secret@${host}/x.git\n`
    for (const each of ['work/one/.git', 'work/two.git']) {
      inHome(`${each}/HEAD`, 'ref: refs/heads/main\n')
      for (const part of ['objects/x', 'refs/x']) inHome(`${each}/${part}`, '')
    }
    inHome('work/one/.git/config', login('one.test'))
    inHome('work/two.git/config', `${login('two.test')}[include]\n\tpath = ../dots/two.inc\n`)
    inHome('work/dots/two.inc', '[http]\n\textraHeader = Authorization: Basic bWU6YS1yZWFsLXNlY3JldA==\n')
    inHome('.gitconfig', '[include]\n\tpath = ~/work/dots/own.inc\n[credential]\n\thelper = store --file ~/work/dots/stored\n')
    inHome('work/dots/own.inc', login('own.test'))
    inHome('work/dots/stored', 'https://me:a-real-secret@stored.test\n')
    stage.own()
    const script =
      'grep -rsE "a-real-secret|bWU6" ~; git -C ~/work/one remote -v; git -C ~/work/two.git remote get-url origin; ls ~/work/dots'
    const ran = await inCell(stage, script, { args: l1 })
    const url = (host: string): string => `https://${host}/x.git`
    expect(ran.stdout, ran.stderr).toBe(
      `origin\t${url('one.test')} (fetch)\norigin\t${url('one.test')} (push)\n${url('two.test')}\nown.inc\ntwo.inc\n`,
    )
    expect(readFileSync(path.join(stage.home, 'work/one/.git/config'), 'utf8')).toBe(login('one.test'))
  })

  it('does not have what is masked in the home', async () => {
    inHome('notes/plan', 'private\n')
    stage.own()
    const ran = await inCell(stage, 'ls ~/notes; cat ~/notes/plan', { args: [...l1, '--mask', path.join(stage.home, 'notes')] })
    expect(ran.stdout, ran.stderr).toBe('')
    expect(ran.stderr).toContain('No such file')
  })

  it('reaches no socket and no FIFO of the host', async () => {
    const [socket, fifo] = [path.join(stage.home, 'service.sock'), path.join(stage.home, 'fifo')]
    let connections = 0
    const server: Server = createServer(() => connections++)
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    spawnSync('mkfifo', [fifo])
    const output = openSync(path.join(stage.root, 'read'), 'w')
    // It has the FIFO open for writing too, so that it never blocks.
    const reader = spawn('sh', ['-c', 'exec 3<>"$0"; exec cat <&3', fifo], { stdio: ['ignore', output, 'ignore'] })
    stage.own()
    chmodSync(socket, 0o777)
    const ran = await inCell(
      stage,
      `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("${socket}")) and print "connected\\n" or print "$!\\n"'; timeout 2 sh -c 'echo leaked > ${fifo}'; echo $?`,
      { args: l1 },
    )
    reader.kill('SIGKILL')
    closeSync(output)
    server.close()
    expect(ran.stdout, ran.stderr).toBe('Connection refused\n124\n')
    expect(connections).toBe(0)
    expect(readFileSync(path.join(stage.root, 'read'), 'utf8')).toBe('')
  })

  it('has a limit for what it writes in the home', async () => {
    const ran = await inCell(stage, 'head -c 300M /dev/zero > ~/big; echo $?', { args: [...l1, '--disk', '100MiB'] })
    expect(ran.stdout, JSON.stringify(ran)).toBe('1\n')
    expect(ran.stderr).toContain('No space left on device')
  })

  it('says what it is, before and afterwards', async () => {
    const dry = await paddock(stage, ['run', ...l1, '--dry-run', '--json', '--', 'true'])
    const plan = JSON.parse(dry.stdout) as { posture: string; filesystem: { kind: string; path?: string; access?: string }[] }
    expect(plan.posture).toBe('L1')
    expect(plan.filesystem).toContainEqual(expect.objectContaining({ kind: 'overlay', path: stage.home, access: 'rw' }))
    expect(plan.filesystem).toContainEqual(expect.objectContaining({ kind: 'overlay', path: '/usr', access: 'ro' }))
    const report = path.join(stage.root, 'report.json')
    const ran = await paddock(stage, ['run', ...l1, '--report', report, '--', 'true'])
    expect(ran.stderr).toMatch(/^paddock: L1 · bubblewrap · /)
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ posture: 'L1' })
    expect((await paddock(stage, ['audit', 'tail', '--kind', 'cell.launch', '--json'])).stdout).toContain('"posture":"L1"')
  })
})

describe('the isolation level', () => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage('user')
  })
  afterEach(() => stage[Symbol.dispose]())
  const banner = async (args: readonly string[]): Promise<string> => {
    const ran = await paddock(stage, ['run', ...args, '--', 'true'])
    return ran.code === 0 ? ran.stderr.slice(9, 11) : ran.stderr
  }
  const configure = (text: string): void => {
    mkdirSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config'), { recursive: true })
    writeFileSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'), `schemaVersion: 1\nrun:\n  posture: ${text}\n`)
    stage.own()
  }

  it('is that of the option, else of the configuration, which the file of a project can only raise', async () => {
    expect(await banner([])).toBe('L2')
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  posture: L1\n')
    stage.own()
    await paddock(stage, ['trust'])
    expect(await banner([])).toBe('L2')
    configure('L3')
    expect(await banner([])).toMatch(
      /config\.yaml:3: run\.posture L3: bubblewrap builds no cells of that isolation level here\.\n {2}hint: Use one of: L1, L2/,
    )
    configure('L1')
    expect(await banner([])).toBe('L1')
    expect(await banner(['--posture', 'L2'])).toBe('L2')
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  posture: L2\n')
    stage.own()
    await paddock(stage, ['trust'])
    expect(await banner([])).toBe('L2')
    expect(await banner(['--posture', 'L1'])).toMatch(/--posture L1: the project wants L2 \(.*\.paddock\.yaml:3\)/)
    rmSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'))
    expect(await banner(['--posture', 'L1'])).toMatch(/--posture L1: the project wants L2 \(.*\.paddock\.yaml:3\)/)
  })

  it.each([
    ['L0', /--posture L0: on the bare host, nothing protects your files, .*\n {2}hint: If you want that, add --i-know/],
    ['L3', /--posture L3: bubblewrap builds no cells/],
    ['2', /--posture 2: there is no such value\.\n {2}hint: Use one of: L0, L1/],
  ])('%s is refused, and nothing is started instead', async (level, expected) => {
    const ran = await paddock(stage, ['run', '--posture', level, '--', 'touch', 'started'])
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(expected)
    expect(existsSync(path.join(stage.project, 'started'))).toBe(false)
  })
})

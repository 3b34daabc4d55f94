import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, everyone, inCell, isRoot, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

/** Tries a TCP connection from a cell and prints the result. Bash has /dev/tcp; the error text says how it failed. */
const dial = (host: string, port: number): string => `bash -c 'exec 3<>/dev/tcp/${host}/${port} && echo CONNECTED' 2>&1 || true`

async function greeting(port: number): Promise<string> {
  let all = ''
  for await (const chunk of connect(port, '127.0.0.1')) all += String(chunk)
  return all
}

async function listen(server: Server, ...where: [number, string] | [string]): Promise<number> {
  await new Promise<void>((resolve) => (where.length === 1 ? server.listen(where[0], resolve) : server.listen(where[0], where[1], resolve)))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe.each(everyone)('inside a cell that %s started', (who) => {
  let stage: Stage
  const servers: Server[] = []
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => {
    for (const each of servers.splice(0)) each.close()
    stage[Symbol.dispose]()
  })

  it('the home of the host is not there', async () => {
    for (const each of ['.ssh/id_canary', '.aws/credentials', '.gnupg/secret', '.config/gcloud/key.json', '.netrc', 'other-project/file']) {
      const file = path.join(stage.home, each)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, 'canary-in-home')
    }
    stage.own()
    const ran = await inCell(
      stage,
      `find "$HOME" ${stage.home} -type f 2>/dev/null; ls -A ${stage.root}; cat ${stage.home}/.ssh/id_canary; grep -rl canary-in-home / --include=* -s --exclude-dir=proc --exclude-dir=usr --exclude-dir=opt`,
    )
    expect(ran.stdout).toBe('home\nproject\n')
    expect(ran.stderr).toContain('id_canary: No such file or directory')
  })

  it('the environment of the host is not there', async () => {
    const secrets = {
      AWS_SECRET_ACCESS_KEY: 'canary-1',
      GITHUB_TOKEN: 'canary-2',
      DB_PASSWORD: 'canary-3',
      MY_CREDENTIALS: 'canary-4',
      SSH_AUTH_SOCK: '/tmp/canary-5',
      ORDINARY: 'canary-6',
      LC_SECRET: 'canary-7',
    }
    const ran = await inCell(stage, 'env; cat /proc/*/environ | tr "\\0" "\\n"', { env: { ...secrets, LC_TIME: 'C' } })
    expect(ran.stdout).toContain('LC_TIME=C')
    expect(ran.stdout).not.toContain('canary')
  })

  it('a variable that is named passes, also one that looks secret', async () => {
    const ran = await inCell(stage, 'echo $API_TOKEN $GIVEN', {
      args: ['--env', 'API_TOKEN', '--env', 'GIVEN=value'],
      env: { API_TOKEN: 'named' },
    })
    expect(ran.stdout).toBe('named value\n')
  })

  it('loopback servers and own addresses of the host are not there', async () => {
    const server = createServer((socket) => socket.end('host'))
    servers.push(server)
    const port = await listen(server, 0, '0.0.0.0')
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter((each) => each.family === 'IPv4')
      .map((each) => each.address)
    expect(own).toContain('127.0.0.1')
    // The server does answer outside of a cell.
    expect(await greeting(port)).toBe('host')
    for (const egress of ['off', 'allowlist']) {
      const ran = await inCell(stage, own.map((each) => dial(each, port)).join('; '), { args: ['--egress', egress] })
      expect(ran.stdout.match(/connect: .*(refused|unreachable)/g)).toHaveLength(own.length)
      expect(ran.stdout).not.toContain('CONNECTED')
    }
  })

  it('Unix sockets of the host are not there, also one in the project', async () => {
    const places = [path.join(stage.root, 'host.sock'), path.join(stage.home, 'agent.sock'), path.join(stage.project, 'in-project.sock')]
    for (const each of places) {
      const server = createServer((socket) => socket.end('host'))
      servers.push(server)
      await listen(server, each)
    }
    stage.own()
    const script = `for s in ${places.join(' ')} /var/run/docker.sock /run/dbus/system_bus_socket; do perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => shift); print $s ? "CONNECTED\\n" : "no\\n"' $s; done`
    const ran = await inCell(stage, script)
    expect(ran.stdout).toBe('no\n'.repeat(5))
  })

  it('processes of the host are not there', async () => {
    const sentinel = spawn('sleep', ['4242.5'])
    try {
      const ran = await inCell(
        stage,
        `cat /proc/[0-9]*/cmdline | tr "\\0" " "; kill -0 ${sentinel.pid} 2>&1; kill -0 ${process.pid} 2>&1; ls /proc | grep -c '^[0-9]'`,
      )
      expect(ran.stdout).not.toContain('4242.5')
      expect(ran.stdout.match(/No such process/g)).toHaveLength(2)
      expect(Number(ran.stdout.trim().split('\n').at(-1))).toBeLessThan(10)
    } finally {
      sentinel.kill('SIGKILL')
    }
  })

  it('another cell is not there: not its servers, its files, its processes', async () => {
    const script =
      'echo canary > /tmp/shared; echo canary > $HOME/shared; perl -MIO::Socket::INET -e \'my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "0.0.0.0", LocalPort => 8000) or die; $| = 1; print "ready\\n"; sleep 60\''
    const other = makeStage(who)
    const first = startPaddock(other, ['run', '--quiet', '--', 'sh', '-c', script])
    try {
      await new Promise<void>((resolve) => first.stdout?.once('data', () => resolve()))
      const ran = await inCell(
        stage,
        `${dial('127.0.0.1', 8000)}; ${dial('198.18.0.1', 8000)}; cat /tmp/shared; cat ${other.project}/x; ls ${other.root}; cat /proc/[0-9]*/cmdline | grep -c 8000`,
      )
      expect(ran.stdout).not.toContain('CONNECTED')
      expect(ran.stdout).not.toContain('canary')
      expect(ran.stderr.match(/No such file or directory/g)).toHaveLength(3)
    } finally {
      first.kill('SIGTERM')
      await new Promise((resolve) => first.once('close', resolve))
      other[Symbol.dispose]()
    }
  })

  it('one project is never shown what an agent left in its home for another', async () => {
    await inCell(stage, 'echo poisoned > $HOME/conversation; cat $HOME/conversation')
    expect((await inCell(stage, 'cat $HOME/conversation')).stdout).toBe('poisoned\n')
    const second = path.join(stage.root, 'second')
    mkdirSync(second)
    stage.own()
    expect((await inCell(stage, 'cat $HOME/conversation; true', { cwd: second })).stdout).toBe('')
  })

  it('the internet beyond the allowlist is not there, and what is on it is', async () => {
    const server = createServer((socket) => socket.end('served'))
    servers.push(server)
    const port = await listen(server, 0, '127.0.0.1')
    const allow = ['--allow', `service.test:7777=127.0.0.1:${port}`, '--report', path.join(stage.root, 'report.json')]
    const script = [
      `bash -c 'exec 3<>/dev/tcp/service.test/7777; cat <&3; echo'`,
      dial('service.test', 7778),
      dial('denied.test', 443),
      dial('93.184.216.34', 443),
      dial('1.1.1.1', 53),
      dial('169.254.169.254', 80),
      `bash -c 'echo x > /dev/udp/8.8.8.8/53' 2>&1 || true`,
      'getent hosts denied.test || echo none',
    ].join('; ')
    const ran = await inCell(stage, script, { args: allow })
    const lines = ran.stdout.trim().split('\n')
    expect(lines[0]).toBe('served')
    expect(ran.stdout).not.toContain('CONNECTED')
    expect(lines.at(-1)).toBe('none')
    expect(ran.stdout.match(/unreachable/g)?.length).toBeGreaterThanOrEqual(4)
    const report = JSON.parse(readFileSync(path.join(stage.root, 'report.json'), 'utf8'))
    expect(report.egress.reached).toEqual([expect.objectContaining({ host: 'service.test', port: 7777, connections: 1 })])
    expect(report.egress.denied).toContainEqual(expect.objectContaining({ host: 'denied.test', reason: 'not-allowed' }))
  })

  it('parts of the kernel that a cell has no use for are closed', async () => {
    const calls = {
      keyctl: [250, 219],
      add_key: [248, 217],
      bpf: [321, 280],
      perf_event_open: [298, 241],
      userfaultfd: [323, 282],
      io_uring_setup: [425, 425],
      mount: [165, 40],
      setns: [308, 268],
    }
    const number = (each: readonly number[]): number => each[process.arch === 'arm64' ? 1 : 0] ?? 0
    const script = Object.entries(calls).map(
      ([name, each]) =>
        `print "${name} ", (syscall(${number(each)}, 0, 0, 0, 0, 0) == -1 and ($!{EPERM} or $!{ENOSYS})) ? "closed" : "OPEN $!", "\\n";`,
    )
    const families = [40, 38, 17, 15, 31, 44].map(
      (each) => `print "family ${each} ", socket(my $s, ${each}, 1, 0) ? "OPEN" : $!{EAFNOSUPPORT} ? "closed" : "OPEN $!", "\\n";`,
    )
    const ran = await paddock(stage, [
      'run',
      '--quiet',
      '--',
      'perl',
      '-MErrno',
      '-e',
      [...script, ...families].join('').replaceAll('\\\\n', '\\n'),
    ])
    expect(ran.stdout.trim().split('\n')).toHaveLength(14)
    expect(ran.stdout).not.toContain('OPEN')
  })

  it('there is no privilege: an own uid, no capability, no new ones, no namespaces, nothing inherited', async () => {
    const script =
      'id -u; grep -E "^(CapEff|CapPrm|CapBnd|NoNewPrivs):" /proc/self/status; unshare -U true; unshare -m true; mount -t tmpfs none /tmp; find / -maxdepth 1 -writable; echo x > /etc/passwd; echo x > /proc/sys/kernel/core_pattern; ls -l /proc/$$/fd; stat -Lc "fd %u %F" /proc/$$/fd/1 /proc/$$/fd/2'
    writeFileSync(path.join(stage.root, 'input'), 'x')
    stage.own()
    const ran = await inCell(stage, script, { shell: '< ../input' })
    expect(ran.stdout.split('\n')[0]).not.toBe('0')
    for (const each of ['CapEff', 'CapPrm', 'CapBnd']) expect(ran.stdout).toMatch(new RegExp(`${each}:\\s+0000000000000000`))
    expect(ran.stdout).toMatch(/NoNewPrivs:\s+1/)
    expect(ran.stderr.match(/unshare failed/g)).toHaveLength(2)
    expect(ran.stdout).not.toMatch(/socket:/)
    expect(ran.stderr).toMatch(/\/etc\/passwd: (Read-only file system|Permission denied)/)
    const descriptors = [...ran.stdout.matchAll(/ (\d+) -> (.*)/g)].filter(
      ([, n, to]) =>
        !/(pipe-\d|stdin) \(deleted\)$|^\/dev\/null$|^\/proc\//.test(to ?? '') && !(/^[12]$/.test(n ?? '') && /^pipe:/.test(to ?? '')),
    )
    expect(descriptors).toEqual([])
    // Its output is pipes of its own uid, which it can reopen by name.
    const uid = ran.stdout.split('\n')[0]
    expect(ran.stdout.match(/^fd .*$/gm)).toEqual([`fd ${uid} fifo`, `fd ${uid} fifo`])
  })
})

it('the memory of the init is out of reach, even if the host hides processes from its users', ({ skip }) => {
  skip(!isRoot, 'only root can mount a /proc that hides processes')
  using stage = makeStage('user')
  stage.own()
  const script = 'mount -t proc -o hidepid=2 proc /proc; cd "$1"; shift; exec "$@"'
  const inside = [
    'sh',
    '-c',
    'for each in mem task/1/mem; do grep -c "/proc/1/$each " /proc/self/mountinfo; head -c 1 "/proc/1/$each" | wc -c; done',
  ]
  const line = command('user', ['run', '--quiet', '--egress', 'off', '--', ...inside])
  const ran = spawnSync('unshare', ['-m', 'sh', '-ec', script, 'sh', stage.project, ...line], { env: stage.env, encoding: 'utf8' })
  expect([ran.stdout, ran.stderr]).toEqual(['1\n0\n1\n0\n', ''])
})

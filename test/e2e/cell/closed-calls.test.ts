import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inCell, makeStage, nodeInCell, paddock, type Stage } from '../../support/cli.ts'

const arm = process.arch === 'arm64'
const numbers = arm
  ? { socket: 198, socketpair: 199, personality: 92, fanotify_init: 262, memfd_secret: 447, fcntl: 25, ioctl: 29 }
  : { socket: 41, socketpair: 53, personality: 135, fanotify_init: 300, memfd_secret: 447, fcntl: 72, ioctl: 16 }
type Call = keyof typeof numbers

let stage: Stage
beforeEach(() => {
  stage = makeStage('user')
})
afterEach(() => stage[Symbol.dispose]())

/** Makes each call by its number in a cell. Returns `done` or the error number of each. */
async function answers(calls: readonly (readonly [Call, ...(number | string)[]])[]): Promise<readonly string[]> {
  const lines = calls.map(
    ([name, ...args]) => `$! = 0; print syscall(${[numbers[name], ...args].join(', ')}) == -1 ? $! + 0 : "done", "\\n";`,
  )
  stage.put('calls.pl', `open(my $file, "+>", "leased") or die $!; my $lease = fileno($file);\n${lines.join('\n')}\n`)
  stage.own()
  const { stdout, stderr } = await inCell(stage, 'perl calls.pl', { args: ['--egress', 'off'] })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

const [ipv4, ipv6, stream, datagram] = [2, 10, 1, 2]

describe('B12: the filter of a cell', () => {
  it('opens TCP and UDP, and no other protocol of IPv4 and IPv6', async () => {
    const open = [0, 6].map((protocol) => ['socket', ipv6, stream, protocol] as const)
    expect(
      await answers([...open, ['socket', ipv4, datagram, 0], ['socket', ipv4, datagram, 17], ['socketpair', 30, stream, 0, 0]]),
    ).toEqual(['done', 'done', 'done', 'done', '97'])
    // MPTCP, SCTP, UDP-Lite, ICMP: EPROTONOSUPPORT. SCTP and DCCP by their types: ESOCKTNOSUPPORT.
    const closed = [
      ...[262, 132].map((protocol) => ['socket', ipv4, stream, protocol] as const),
      ...[136, 1].map((protocol) => ['socket', ipv4, datagram, protocol] as const),
    ]
    expect(await answers([...closed, ['socket', ipv4, 5, 0], ['socket', ipv6, 6, 0]])).toEqual(['93', '93', '93', '93', '94', '94'])
  })

  it('refuses personalities that make memory executable, secret memory and fanotify', async () => {
    const closed = [
      ['personality', 0x40_0000],
      ['personality', 0x44_0000],
      ['fanotify_init', 0x200, 0],
      ['memfd_secret', 0],
    ] as const
    expect(await answers(closed)).toEqual(['1', '1', '1', '38'])
    expect(
      await answers([
        ['personality', 0xffff_ffff],
        ['personality', 0x4_0000],
      ]),
    ).toEqual(['done', 'done'])
  })

  it('exchanges no blocks between files, which would change a file without its times', async () => {
    // A defragmenter's call for ext4, and for XFS. Without the filter: EFAULT, or ENOTTY on another file system.
    expect(
      await answers([
        ['ioctl', '$lease', 0xc028_660f, 0],
        ['ioctl', '$lease', 0xc0c0_586d, 0],
      ]),
    ).toEqual(['1', '1'])
  })

  it('refuses segment tables', async ({ skip }) => {
    skip(arm, 'arm64 has no modify_ldt')
    const { stdout } = await inCell(stage, `perl -e '$! = 0; print syscall(154, 0, 0, 0) == -1 ? $! + 0 : "done"'`, {
      args: ['--egress', 'off'],
    })
    expect(stdout).toBe('38')
  })

  it('leaves ordinary programs as they are', async () => {
    const script = `set -e; setarch -R true; git init -q r; git -C r -c user.name=x -c user.email=x@x commit -q --allow-empty -m x
      perl -MSocket -e 'socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die; socket(my $c, AF_INET, SOCK_STREAM, getprotobyname("tcp") // 6) or die'
      if python3 -c 1 2>/dev/null; then python3 -c 'import asyncio, fcntl, socket; asyncio.run(asyncio.sleep(0)); fcntl.flock(open("l", "w"), fcntl.LOCK_EX); socket.socketpair()'; fi; echo all`
    expect(await inCell(stage, script, { args: ['--egress', 'off'] })).toMatchObject({ stdout: 'all\n', code: 0 })
    const server = `import { createServer, connect } from 'node:net'; const s = createServer((c) => c.end('hello')).listen(0, '127.0.0.1', () =>
      connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close() }))`
    expect(await paddock(stage, ['run', '--quiet', '--egress', 'off', ...nodeInCell(server, [])])).toMatchObject({
      stdout: 'hello\n',
      code: 0,
    })
  })
})

it('B8: a cell can take no lease on a file, which would make readers of the host wait', async () => {
  // F_SETLEASE with F_WRLCK and F_RDLCK fails with EPERM. F_GETLEASE and F_GETFD succeed.
  const lease = (command: number, argument: number): readonly [Call, ...(number | string)[]] => ['fcntl', '$lease', command, argument]
  expect(await answers([lease(1024, 1), lease(1024, 0), lease(1025, 0), lease(1, 0)])).toEqual(['1', '1', 'done', 'done'])
})

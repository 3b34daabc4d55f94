import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { both, command, isRoot, makeStage, needsRoot, nodeInCell, type Stage } from '../../support/cli.ts'
import { hosts, type Lab, near, openInternetLab } from '../../support/lab/lab.ts'

let lab: Lab
beforeAll(async () => {
  if (!isRoot) return
  lab = await openInternetLab()
  // Like cloud load balancers and guest agents, the host accepts addresses that no interface has.
  await lab.run(['ip', 'route', 'add', 'local', '9.9.8.0/24', 'dev', 'lo'])
  for (const each of ['64:ff9b::5db8:d823', '64:ff9b::814:1e28'])
    await lab.run(['ip', 'address', 'add', `${each}/128`, 'dev', 'lo', 'nodad'])
})
afterAll(async () => {
  if (isRoot) await lab[Symbol.asyncDispose]()
})

/** Starts a host on the near side of the lab that answers every datagram and records what arrived, until it is disposed of. */
async function host(
  stage: Stage,
  listeners: readonly (readonly [address: string, port: number])[],
): Promise<AsyncDisposable & { heard(): string[] }> {
  const file = path.join(stage.root, 'host-heard')
  const script = `
    import { createSocket } from 'node:dgram'
    import { appendFileSync } from 'node:fs'
    for (const [address, port] of ${JSON.stringify(listeners)}) {
      const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
      socket.on('message', (message, from) => { appendFileSync(${JSON.stringify(file)}, address + ' ' + message + '\\n'); socket.send('secret', from.port, from.address) })
      socket.bind(port, address)
      await new Promise((bound) => socket.once('listening', bound))
    }
    console.log('up')`
  const running = await lab.background([process.execPath, '--input-type=module', '-e', script])
  return {
    heard: () => read(file),
    [Symbol.asyncDispose]: async () => running[Symbol.dispose](),
  }
}

function read(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** Runs in the cell: sends datagrams to these `ADDRESS PORT` from a socket that is bound to the interface, and prints the answers. */
const boundToDevice = `
use strict; use Socket qw(:all);
open(my $dev, '<', '/proc/net/dev'); my ($name) = grep { $_ ne 'lo' } map { /^\\s*([^:\\s]+):/ ? $1 : () } <$dev>;
my @told;
while (my ($address, $port) = splice @ARGV, 0, 2) {
  my $six = $address =~ /:/;
  socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_DGRAM, 0) or die; setsockopt($s, SOL_SOCKET, 25, $name) or die "bind: $!";
  my $to = $six ? pack_sockaddr_in6($port, inet_pton(AF_INET6, $address)) : pack_sockaddr_in($port, inet_aton($address));
  my ($how, $answer) = ("silent");
  for (1 .. 3) {
    if (!defined send($s, 'from the cell', 0, $to)) { $how = "$!"; last }
    my $read = ''; vec($read, fileno $s, 1) = 1;
    if (select($read, undef, undef, 0.3)) { $how = defined recv($s, $answer, 100, 0) ? "answered $answer" : "$!"; last }
  }
  push @told, "$address: $how";
}
print join("\\n", @told), "\\n";`

describe.each(both)('the limits of a real network, as %s', (who) => {
  needsRoot('the lab is made of network namespaces and devices of its own')

  test.each(['public', 'open'])('loopback of the host has no datagrams for a socket bound to the interface, under %s', async (mode) => {
    using stage = makeStage(who)
    await using services = await host(stage, [
      ['127.0.0.1', 7001],
      ['::1', 7001],
    ])
    const to = ['127.0.0.1', '7001', '127.0.0.53', '7001', '::1', '7001', hosts.public, '8023']
    const ran = await lab.paddock(stage, ['run', '--quiet', '--egress', mode, '--', 'perl', '-e', boundToDevice, ...to])
    expect(ran.stderr).toBe('')
    const told = ran.stdout.trim().split('\n')
    expect(told.at(-1)).toBe(`${hosts.public}: answered lab`)
    expect(told).toHaveLength(4)
    expect(told.slice(0, 3).filter((each) => each.includes('answered'))).toEqual([])
    expect(services.heard()).toEqual([])
  })

  test.each(['public', 'open'])(
    'datagrams that the host sends to itself are not received by a cell that uses the same port, under %s',
    async (mode) => {
      using stage = makeStage(who)
      const script = `
      import { createSocket } from 'node:dgram'
      import { appendFileSync, existsSync } from 'node:fs'
      let answers = 0
      const note = (port) => (message) => { if (String(message) === 'lab') answers++; else appendFileSync('received', port + ' ' + message + '\\n') }
      const sockets = []
      for (const port of [40123, 8125, 5353]) for (const family of ['udp4', 'udp6']) {
        const socket = createSocket({ type: family, ...(family === 'udp6' ? { ipv6Only: true } : {}) }); socket.on('message', note(port)); socket.on('error', () => {})
        await new Promise((bound) => socket.bind({ port, address: family === 'udp6' ? '::' : '0.0.0.0' }, bound))
        sockets.push(socket)
      }
      const knock = () => sockets.map((each) => each.send('x', 8023, each.type === 'udp6' ? '${hosts.public6}' : '${hosts.public}', () => {}))
      for (let turn = 0; turn < 60 && answers < 2; turn++) { knock(); await new Promise((later) => setTimeout(later, 50)) }
      appendFileSync('received', 'answers ' + (answers >= 2) + '\\n')
      for (let turn = 0; turn < 100 && !existsSync('enough'); turn++) await new Promise((later) => setTimeout(later, 50))
      process.exit(0)`
      const running = await lab.background(command(who, ['run', '--egress', mode, ...nodeInCell(`console.log('up');${script}`, [])]), {
        cwd: stage.project,
        env: stage.env,
      })
      using _ = running
      const file = path.join(stage.project, 'received')
      for (let turn = 0; turn < 200 && read(file).length === 0; turn++) await setTimeout(50)
      const send = `
      import { createSocket } from 'node:dgram'
      for (const port of [40123, 8125, 5353]) for (const to of ['127.0.0.1', '::1', '${near.address}', '${near.second}', '${near.address6}', '9.9.8.7']) {
        const socket = createSocket(to.includes(':') ? 'udp6' : 'udp4')
        await new Promise((sent) => socket.send('of the host to ' + to, port, to, () => sent())); socket.close()
      }`
      const sent = await lab.run([process.execPath, '--input-type=module', '-e', send])
      expect(sent.stderr).toBe('')
      await setTimeout(500)
      stage.put('enough', '')
      expect(read(file)).toEqual(['answers true'])
    },
  )

  test('two cells under open do not meet by datagrams', async () => {
    using stage = makeStage(who)
    const script = (own: number, other: number) => `
      import { createSocket } from 'node:dgram'
      const socket = createSocket('udp4'); const heard = []; const refused = new Set(); let answered = false
      socket.on('message', (message, from) => { if (String(message) === 'lab') answered = true; else heard.push(String(message) + ' ' + from.address) })
      await new Promise((bound) => socket.bind(${own}, bound)); socket.setBroadcast(true)
      const places = ['${near.address}', '${near.second}', '${near.gateway}', '127.0.0.1', '9.9.8.7', '198.51.100.255', '255.255.255.255', '224.0.0.1']
      for (let turn = 0; turn < 30; turn++) {
        socket.send('x', 8023, '${hosts.public}', () => {})
        for (const each of places) socket.send('of ${own}', ${other}, each, (error) => { if (error) refused.add(error.code) })
        await new Promise((later) => setTimeout(later, 50))
      }
      console.log(JSON.stringify({ heard, answered })); process.exit(0)`
    const one = (own: number, other: number) =>
      lab.paddock(stage, ['run', '--quiet', '--egress', 'open', ...nodeInCell(script(own, other), [])])
    const both = await Promise.all([one(40_500, 40_501), one(40_501, 40_500)])
    for (const each of both) expect(JSON.parse(each.stdout)).toEqual({ heard: [], answered: true })
  })

  test('public: addresses that the host takes without having them, and blocked ones in NAT64 spelling, are out of reach', async () => {
    using stage = makeStage(who)
    using _ = await lab.background([
      process.execPath,
      '-e',
      `require('node:net').createServer((socket) => socket.on('error', () => {}).end('host')).listen(7002, '::', () => console.log('up'))`,
    ])
    const script = `
      import { connect } from 'node:net'
      const told = {}
      for (const each of process.argv.slice(1)) told[each] = await new Promise((resolve) => {
        const socket = connect({ host: each, port: each === '${hosts.public}' ? 80 : 7002 }); const end = (how) => { socket.destroy(); resolve(how) }
        socket.once('connect', () => end('connected')); socket.once('error', (error) => end(error.code)); setTimeout(() => end('timeout'), 3000)
      })
      console.log(JSON.stringify(told)); process.exit(0)`
    const internal = ['9.9.8.7', '64:ff9b::5db8:d823', '64:ff9b::814:1e28']
    const ran = await lab.paddock(stage, [
      'run',
      '--quiet',
      '--egress',
      'public',
      '--block',
      `${hosts.shop}/32`,
      ...nodeInCell(script, [...internal, hosts.public]),
    ])
    const told = JSON.parse(ran.stdout) as Record<string, string>
    expect(told[hosts.public]).toBe('connected')
    for (const each of internal)
      expect([each, told[each]]).toEqual([each, expect.stringMatching(/^(EHOSTUNREACH|EACCES|ENETUNREACH|EPERM)$/)])
  })
})

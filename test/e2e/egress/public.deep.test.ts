import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { both, command, isRoot, makeStage, needsRoot, nodeInCell } from '../../support/cli.ts'
import { hosts, type Lab, near, openInternetLab } from '../../support/lab/lab.ts'

let lab: Lab
beforeAll(async () => {
  if (isRoot) lab = await openInternetLab()
})
afterAll(async () => {
  if (isRoot) await lab[Symbol.asyncDispose]()
})

const internal = Object.entries(hosts).filter(([name]) => !/^(public|public6|shop|resolver)$/.test(name))
/** Prints for each address and port whether a TCP connection was made, and whether a datagram was answered. */
const knock = `
import { connect } from 'node:net'
import { createSocket } from 'node:dgram'
const tcp = (host, port) => new Promise((resolve) => {
  const socket = connect({ host, port })
  const end = (how) => { socket.destroy(); resolve(how) }
  socket.once('connect', () => end('connected')); socket.once('error', (error) => end(error.code)); setTimeout(() => end('timeout'), 2500)
})
const udp = (host, port) => new Promise((resolve) => {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  let again
  const end = (how) => { clearInterval(again); try { socket.close() } catch {} resolve(how) }
  socket.once('message', () => end('answered')); socket.on('error', (error) => end(error.code)); setTimeout(() => end('timeout'), 2500)
  // A datagram may get lost on the way; said again it is the same.
  socket.once('connect', () => { socket.send('x'); again = setInterval(() => socket.send('x', () => {}), 300) }); socket.connect(port, host)
})
const told = await Promise.all(process.argv.slice(1).map(async (host) => [host, await tcp(host, 80), await tcp(host, 8022), await udp(host, 8023)]))
console.log(JSON.stringify(told))
process.exit(0)
`

describe.each(both)('egress public, as %s', (who) => {
  needsRoot('the lab is made of network namespaces and devices of its own')
  test('any protocol reaches the internet, and no internal address', async () => {
    using stage = makeStage(who)
    const before = lab.arrivals.length
    const ran = await lab.paddock(stage, [
      'run',
      '--quiet',
      '--egress',
      'public',
      ...nodeInCell(knock, [hosts.public, hosts.shop, hosts.public6, ...internal.map(([, each]) => each)]),
    ])
    expect(ran.stderr).toBe('')
    const told = new Map((JSON.parse(ran.stdout) as [string, string, string, string][]).map(([host, ...how]) => [host, how]))
    for (const host of [hosts.public, hosts.shop, hosts.public6])
      expect([host, told.get(host)]).toEqual([host, ['connected', 'connected', 'answered']])
    for (const [name, host] of internal) {
      const how = told.get(host) ?? []
      expect(how, `${name} ${host}`).toHaveLength(3)
      for (const each of how) expect(each, `${name} ${host}`).toMatch(/^(EHOSTUNREACH|EACCES|ENETUNREACH|EPERM)$/)
    }
    const reached = new Set(lab.arrivals.slice(before).map((each) => each.at))
    for (const [, host] of internal) expect(reached).not.toContain(host)
  })

  test('names that mean internal addresses are dead, and every name is in the audit log', async () => {
    using stage = makeStage(who)
    const names = ['public', 'private', 'shared', 'metadata', 'loopback', 'overlay', 'mapped', 'carried', 'mixed', 'nobody']
    const script = `import dns from 'node:dns/promises'; const told = {}; for (const each of process.argv.slice(1)) told[each] = await dns.lookup(each + '.example', { all: true }).then((all) => all.map((one) => one.address).sort(), (error) => error.code); console.log(JSON.stringify(told))`
    const ran = await lab.paddock(stage, ['run', '--egress', 'public', ...nodeInCell(script, names)])
    expect(ran.stderr).toContain(`private.example means ${hosts.private}, an address of your own network, so the cell cannot reach it`)
    expect(ran.stderr).not.toMatch(/(?:mixed|public|nobody)\.example means/)
    const told = JSON.parse(ran.stdout) as Record<string, unknown>
    expect(told['public']).toEqual([hosts.public6, hosts.public].sort())
    expect(told['mixed']).toEqual([hosts.public])
    for (const each of ['private', 'shared', 'metadata', 'loopback', 'overlay', 'mapped', 'carried', 'nobody'])
      expect([each, told[each]]).toEqual([each, 'ENOTFOUND'])
    const log = await lab.run(['sh', '-c', `cat ${stage.env['PADDOCK_HOME']}/state/audit/*.jsonl`])
    for (const each of names) expect(log.stdout).toContain(`"${each}.example"`)
  })

  test('a name that turns to an internal address leads nowhere, and neither does a redirect', async () => {
    using stage = makeStage(who)
    const script = `
      const get = (url) => fetch(url, { signal: AbortSignal.timeout(5000) }).then((answer) => answer.text(), (error) => error.cause?.code ?? error.name)
      const told = [await get('http://public.example/one')]
      for (const each of ['http://10.1.2.3/', 'http://private.example/', 'http://169.254.169.254/latest/', 'http://[::ffff:10.1.2.3]/', 'http://100.64.0.5/']) told.push(await get('http://redirect.example/' + each))
      for (let turn = 0; turn < 4; turn++) { told.push(await get('http://rebind.example/')); await new Promise((done) => setTimeout(done, 50)) }
      console.log(JSON.stringify(told))`
    const before = lab.arrivals.length
    const ran = await lab.paddock(stage, ['run', '--quiet', '--egress', 'public', ...nodeInCell(script, [])])
    const told = JSON.parse(ran.stdout) as string[]
    expect([`lab ${hosts.public} /one\n`, `lab ${hosts.public6} /one\n`]).toContain(told[0])
    for (const each of told.slice(1, 6)) expect(each).toMatch(/^(EHOSTUNREACH|EACCES|ENETUNREACH|EPERM|ENOTFOUND|TimeoutError)$/)
    expect(told.slice(6).join()).not.toContain(hosts.private)
    expect(lab.arrivals.slice(before).filter((each) => each.at === hosts.private)).toEqual([])
  })

  test.each(['public', 'open'])('no address of a cell is still to be tried out when the agent starts, under %s', async (mode) => {
    using stage = makeStage(who)
    // Flags are in the fifth column: IFA_F_TENTATIVE is 0x40, IFA_F_DADFAILED 0x08 (if_addr.h).
    const ran = await lab.paddock(stage, ['run', '--quiet', '--egress', mode, '--', 'cat', '/proc/net/if_inet6'])
    const found = ran.stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/ +/))
    expect(found.filter(([, , , scope]) => scope === '20')).toHaveLength(1)
    expect(found.filter(([, , , scope]) => scope === '00')).toHaveLength(1)
    expect(found.filter(([, , , , flags]) => (Number.parseInt(flags ?? '', 16) & 0x48) !== 0)).toEqual([])
  })

  test.each(['public', 'open'])('traffic under %s is counted in the report, the audit log and the last line', async (mode) => {
    using stage = makeStage(who)
    const report = path.join(stage.root, 'report.json')
    const script = `
      import { createSocket } from 'node:dgram'
      const socket = createSocket('udp4')
      let answered = false
      socket.on('message', () => { answered = true })
      const send = () => new Promise((sent) => socket.send(Buffer.alloc(1000), 8023, '${hosts.public}', sent))
      for (let turn = 0; turn < 50 && !answered; turn++) { await send(); await new Promise((later) => setTimeout(later, 100)) }
      process.exit(0)`
    const ran = await lab.paddock(stage, ['run', '--egress', mode, '--report', report, ...nodeInCell(script, [])])
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/ [\d.]+ KiB out and [\d.]+ (?:KiB|B) in over its own network/)])
    const { egress } = JSON.parse((await lab.run(['cat', report])).stdout) as { egress: { network: { bytesOut: number; bytesIn: number } } }
    expect(egress.network).toEqual({ bytesOut: expect.any(Number), bytesIn: expect.any(Number) })
    const log = await lab.run(['sh', '-c', `cat ${stage.env['PADDOCK_HOME']}/state/audit/*.jsonl`])
    expect(log.stdout).toContain(`"network":${JSON.stringify(egress.network)}`)
  })

  test('DNS servers outside are out of reach, and other kinds of questions are answered by the host’s', async () => {
    using stage = makeStage(who)
    const script = `
      import dns from 'node:dns/promises'
      const outside = new dns.Resolver({ timeout: 800, tries: 1 }); outside.setServers(['${hosts.resolver}'])
      const code = (error) => error.code
      console.log(JSON.stringify([await outside.resolve4('shop.example').then(() => 'answered', code), await dns.resolveTxt('public.example').then(String, code), await dns.reverse('10.1.2.3').then(String, code)]))`
    const ran = await lab.paddock(stage, ['run', '--quiet', '--egress', 'public', ...nodeInCell(script, [])])
    const [outside, txt, reverse] = JSON.parse(ran.stdout) as string[]
    expect(outside).not.toBe('answered')
    expect(txt).toBe('a text of the lab')
    expect(reverse).toBe('ENOTFOUND')
  })

  test('the host’s own addresses and what the user blocks are out of reach; open reaches all but loopback', async () => {
    using stage = makeStage(who)
    const script = `
      import { connect } from 'node:net'
      const told = await Promise.all(process.argv.slice(1).map((each) => new Promise((resolve) => {
        const [host, port] = each.split(' ')
        const socket = connect({ host, port: Number(port) })
        const end = (how) => { socket.destroy(); resolve(how) }
        socket.once('connect', () => end('connected')); socket.once('error', (error) => end(error.code)); setTimeout(() => end('timeout'), 2500)
      })))
      console.log(told.join()); process.exit(0)`
    // A service of the near side on all its addresses, and one only on its loopback.
    using _service = await lab.background([
      process.execPath,
      '-e',
      `const net = require('net'); net.createServer((socket) => socket.end('x')).listen(7777, '0.0.0.0'); net.createServer((socket) => socket.end('x')).listen(7778, '127.0.0.1', () => console.log('up'))`,
    ])
    const own = [
      `${near.second} 7777`,
      `${near.address} 7777`,
      `${near.gateway} 80`,
      `127.0.0.1 7778`,
      `${hosts.shop} 80`,
      `${hosts.public} 80`,
    ]
    const closed = await lab.paddock(stage, [
      'run',
      '--quiet',
      '--egress',
      'public',
      '--block',
      `${hosts.shop}/32`,
      ...nodeInCell(script, own),
    ])
    expect(closed.stdout.trim().split(',')).toEqual([
      'EHOSTUNREACH',
      'ECONNREFUSED',
      'EHOSTUNREACH',
      'ECONNREFUSED',
      'EHOSTUNREACH',
      'connected',
    ])
    const open = await lab.paddock(stage, ['run', '--quiet', '--egress', 'open', ...nodeInCell(script, [...own, `${hosts.private} 80`])])
    expect(open.stdout.trim().split(',')).toEqual([
      'connected',
      'ECONNREFUSED',
      'connected',
      'ECONNREFUSED',
      'connected',
      'connected',
      'connected',
    ])
  })

  test('kill -9 of Paddock leaves no pasta', async () => {
    using stage = makeStage(who)
    const words = command(who, ['run', '--quiet', '--egress', 'public', '--', 'sh', '-c', 'echo up; exec sleep 60'])
    using running = await lab.background(words, { cwd: stage.project, env: stage.env })
    const own = descendantsOf(running.pid).filter((pid) => /^pas(ta|st)/.test(commandOf(pid)))
    // At times it has a helper process for work in the namespace.
    expect(own.length).toBeGreaterThan(0)
    process.kill(running.pid, 'SIGKILL')
    for (let tries = 0; tries < 200 && own.some((pid) => commandOf(pid) !== ''); tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(own.map(commandOf).join('')).toBe('')
  })

  test('a tun device that only root may open does not hinder root, and a user gets a hint for opening it', async () => {
    using stage = makeStage(who)
    const place = mkdtempSync(path.join(stage.root, 'devices-'))
    const closed = `mount -t tmpfs none ${place} && mknod -m 0600 ${place}/tun c 10 200 && mount --bind ${place}/tun /dev/net/tun && exec "$@"`
    const words = command(who, ['run', '--quiet', '--egress', 'public', '--', 'ip', 'route'])
    const ran = await lab.run(['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-c', closed, 'sh', ...words], {
      cwd: stage.project,
      env: stage.env,
    })
    if (who === 'root') expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining(`default via ${near.gateway}`)])
    else expect([ran.code, ran.stderr]).toEqual([125, expect.stringContaining('chmod 0666 /dev/net/tun')])
  })

  test.each([
    ['pasta', '/usr/bin/pasta', /pasta is not installed[\s\S]*apt-get install passt/],
    ['nft', '/usr/sbin/nft', /nft is not installed[\s\S]*apt-get install nftables/],
    ['the tun device', '/dev/net/tun', /\/dev\/net\/tun, which is not there/],
  ])('without %s the cell does not start, and says how to get it', async (_, file, message) => {
    using stage = makeStage(who)
    const hidden = `mount --bind ${file === '/dev/net/tun' ? '/etc/hostname' : '/dev/null'} ${file} && exec "$@"`
    const words = command(who, ['run', '--egress', 'public', '--', 'true'])
    const ran = await lab.run(['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-c', hidden, 'sh', ...words], {
      cwd: stage.project,
      env: stage.env,
    })
    expect([ran.code, ran.stdout]).toEqual([125, ''])
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr).toMatch(/hint: /)
  })
})

/** Returns the processes below one. The list of children in /proc may leave some out while another one ends (proc_pid_task(5)). */
function descendantsOf(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((each) => /^\d+$/.test(each))
      .map((each) => [Number(each), parentOf(each)]),
  )
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === root || (parent > 0 && isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow)
}

/** Returns the parent of a process; 0 if it is gone. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
  } catch {
    return 0
  }
}

/** Returns the name of a process; empty if it is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return ''
  }
}

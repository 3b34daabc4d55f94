import type { ChildProcess } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { FixableError } from '../../base/fixable-error.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Ranges } from '../../egress/policy/local-routes.ts'
import { rootHint } from '../../system/as-root.ts'
import { requireHostProgram } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'
import { addRanges, firewall, type RealPolicy, rangesOf, rangesOfHost } from './firewall.ts'
import { type CellNetwork, enterNetwork, networkFile, userFile } from './namespace.ts'

/**
 * Network access without the gateway: pasta(1) translates the cell's packets into sockets of the host, and a packet filter restricts them.
 */
export interface RealNetwork {
  /** Process id of pasta, for the registry. */
  readonly pid: number
  /** Resolves once the cell has an address and a route. */
  readonly ready: Promise<void>
  close(): void
}

const tun = '/dev/net/tun'
const readyMs = 10_000
/** Milliseconds between comparisons of the host's own addresses with those in the filter. */
const addressesMs = 5_000

/**
 * Throws if this machine cannot provide a real network.
 * @throws PaddockError `UNENFORCEABLE` that says what is missing and how to get it
 */
export function requireRealNetwork(mode: 'public' | 'open', searchPath: string, asRoot: boolean): void {
  const kept =
    mode === 'public' ? 'it keeps internal addresses out of reach' : 'it keeps the loopback of the host and other cells out of reach'
  const purposes = { pasta: `for --egress ${mode}`, nft: `for --egress ${mode}: ${kept}` }
  for (const [name, purpose] of Object.entries(purposes)) requireHostProgram(name, searchPath, purpose, [], Object.keys(purposes))
  if (statSync(tun, { throwIfNoEntry: false })?.isCharacterDevice() !== true)
    throw new FixableError('UNENFORCEABLE', `--egress ${mode} needs ${tun}, which is not there.`, {
      hint: `${rootHint('modprobe tun')}. In a container, pass the device in`,
      remedies: [{ kind: 'module', name: 'tun' }],
    })
  if (!asRoot && !mayOpen(tun))
    throw new FixableError('UNENFORCEABLE', `--egress ${mode} needs ${tun}, which this user may not open.`, {
      hint: `${rootHint(`chmod 0666 ${tun}`)} (the default of most systems)`,
      remedies: [{ kind: 'device', file: tun }],
    })
}

function mayOpen(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Loads the packet filter into a cell's network and attaches pasta to it, both before the agent starts. `uid`: the user for pasta if
 * Paddock is root, which is the cell's own; null for the same user as Paddock.
 */
export function openRealNetwork(network: CellNetwork, policy: RealPolicy, uid: number | null): RealNetwork {
  const known = rangesOfHost(policy.mode)
  const filtered = nft(network, firewall(policy.mode, rangesOf(policy, known)))
  const { child, said } = startPasta(network, uid)
  const unwatch = watchAddresses(network, policy.mode, known)
  const close = (): void => {
    unwatch()
    child.kill('SIGKILL')
  }
  const ready = Promise.all([filtered, configured(network.network, child, said)]).then(() => undefined)
  ready.catch(close)
  return { pid: child.pid ?? 0, ready, close }
}

/**
 * No TCP port is forwarded into the cell or out of it, and the gateway's address does not represent the host. Datagrams to the UDP ports
 * that the cell sends from are judged by the packet filter.
 */
const pastaOptions = ['--foreground', '--config-net', '--no-map-gw', '-t', 'none', '-u', 'none', '-T', 'none', '-U', 'none']
const withoutServers = ['--no-dhcp', '--no-dhcpv6', '--no-ra', '-D', 'none', '-S', 'none']

/** Creates a tun device for pasta, which refuses to run as root. The cell's uid may not open a tun device that belongs to root. */
const tunScript =
  'mount -t tmpfs -o mode=0755,size=64k none /run && mknod -m 0666 /run/tun c 10 200 && mount --bind /run/tun "$0" && exec "$@"'

/**
 * Runs in sh(1) in the cell's network before pasta creates its interface: disables Duplicate Address Detection (RFC 4862, section 5.4;
 * `accept_dad` of ip-sysctl). DAD sends from the address `::` at a random moment in the first second. A pasta from 2023 mistakes that for
 * the cell's new address, so packets for the cell at that moment are sent to `::` and lost.
 */
const withoutDuplicateDetection = 'for each in all default; do { echo 0 > /proc/sys/net/ipv6/conf/$each/accept_dad; } 2>/dev/null; done'

function startPasta(network: CellNetwork, uid: number | null): { readonly child: ChildProcess; readonly said: () => string } {
  const tool = (name: string): string => requireHostProgram(name, network.searchPath, 'for a real way out of a cell')
  const user = userFile(network)
  const namespaces = [...(user === null ? [] : ['--userns', user]), '--netns', networkFile(network)]
  const pasta = [tool('pasta'), ...pastaOptions, ...withoutServers, ...namespaces]
  const as = uid === null ? [] : ['--reuid', String(uid), '--regid', String(uid), '--clear-groups']
  // Pasta ends with the process that started it, even after kill -9 (PR_SET_PDEATHSIG, prctl(2)).
  const bound = [tool('setpriv'), ...as, '--pdeathsig', 'KILL', '--', ...pasta]
  const inCell = [...enterNetwork(network), '/bin/sh', '-c', withoutDuplicateDetection].map(shellWord).join(' ')
  const open = uid === null || (statSync(tun).mode & 0o006) === 0o006
  const chain = open ? bound : [tool('unshare'), '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', tunScript, tun, ...bound]
  const child = spawn('/bin/sh', ['-c', `${inCell}; exec "$@"`, 'sh', ...chain], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    cwd: '/',
  })
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (text.length < 4096) text += chunk.toString('utf8')
  })
  return { child, said: () => text }
}

/** Polls until the cell's network has a route that is not on loopback. */
function configured(pid: number, child: ChildProcess, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + readyMs
    const fail = (why: string): void => {
      child.removeAllListeners('exit')
      const words = said()
        .split('\n')
        .filter((line) => line.trim() !== '' && !/syslog|^(?:Template|Namespace) interface|^MAC:|^\s+host:/.test(line))
      reject(
        new PaddockError('UNENFORCEABLE', `The cell could not be given a real network: ${words.slice(0, 3).join(' · ') || why}.`, {
          hint: 'Add a default route to this machine, or use --egress allowlist, which needs none',
        }),
      )
    }
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code, signal) => fail(`pasta ended with ${signal ?? code}`))
    const look = (): void => {
      if (hasRoute(pid)) {
        child.removeAllListeners('exit')
        resolve()
      } else if (Date.now() > deadline) fail(`no route after ${readyMs / 1000} s`)
      else if (child.exitCode === null && child.signalCode === null) setTimeout(look, 1)
    }
    look()
  })
}

function hasRoute(pid: number): boolean {
  try {
    const v4 = readFileSync(`/proc/${pid}/net/route`, 'utf8').split('\n').slice(1)
    if (v4.some((line) => line.split('\t')[1] === '00000000')) return true
    const v6 = readFileSync(`/proc/${pid}/net/ipv6_route`, 'utf8').split('\n')
    // The kernel's fallback entry is on lo (proc(5)).
    return v6.some((line) => line.startsWith(`${'0'.repeat(32)} 00 `) && !/ lo$/.test(line))
  } catch {
    return false
  }
}

/** Runs nft(8) in the cell's network with these rules. */
function nft(network: CellNetwork, rules: string): Promise<void> {
  const [program = '', ...args] = [
    ...enterNetwork(network),
    requireHostProgram('nft', network.searchPath, 'for a real way out of a cell'),
    '-f',
    '-',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 4096) said += chunk.toString('utf8')
    })
    const fail = (why: string): void =>
      reject(
        new PaddockError('UNENFORCEABLE', `The packet filter of the cell could not be loaded: ${said.trim().split('\n')[0] || why}.`, {
          hint: 'Load the modules with: modprobe nf_tables nf_conntrack. nft must be able to load rules in a network namespace',
        }),
      )
    child.once('error', (error) => fail(error.message))
    child.once('close', (code) => (code === 0 ? resolve() : fail(`nft ended with ${code}`)))
    child.stdin.on('error', () => undefined)
    child.stdin.end(rules)
  })
}

/** Blocks the addresses of a VPN or another network that comes up while the cell runs, within a few seconds. */
function watchAddresses(network: CellNetwork, mode: RealPolicy['mode'], known: Ranges): () => void {
  const [v4, v6] = [new Set(known.v4), new Set(known.v6)]
  const timer = setInterval(() => {
    const now = rangesOfHost(mode)
    const fresh = { v4: now.v4.filter((each) => !v4.has(each)), v6: now.v6.filter((each) => !v6.has(each)) }
    if (fresh.v4.length + fresh.v6.length === 0) return
    for (const each of fresh.v4) v4.add(each)
    for (const each of fresh.v6) v6.add(each)
    nft(network, addRanges(fresh)).catch(() => undefined)
  }, addressesMs)
  timer.unref()
  return () => clearInterval(timer)
}

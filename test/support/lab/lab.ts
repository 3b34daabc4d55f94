import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { command, type Ran, type Stage } from '../cli.ts'
import type { Arrival } from './internet.ts'

/** Hosts of the lab's internet by kind; each serves HTTP on 80, TLS on 443, a banner on TCP 8022, an echo on UDP 8023 and DNS. */
export const hosts = {
  public: '93.184.216.34',
  shop: '93.184.216.35',
  resolver: '93.184.216.53',
  private: '10.1.2.3',
  private172: '172.16.5.5',
  private192: '192.168.7.7',
  shared: '100.64.0.5',
  linkLocal: '169.254.7.7',
  metadata: '169.254.169.254',
  metadata2: '168.63.129.16',
  metadata3: '100.100.100.200',
  metadata4: '192.0.0.192',
  reserved: '240.0.0.1',
  public6: '2606:2800:220:1::1',
  overlay6: 'fd7a:115c:a1e0::1',
  unique6: 'fd00:ec2::254',
  nat64: '64:ff9b::a01:203',
  sixToFour: '2002:a01:203::1',
} as const

/** The near side: the lab's own host, with a service on an address in another network. */
export const near = {
  address: '198.51.100.2',
  gateway: '198.51.100.1',
  address6: '2606:4700:77::2',
  gateway6: '2606:4700:77::1',
  second: '8.20.30.40',
} as const

/**
 * A fake internet in two network namespaces. The near side is a host with a default route that runs programs like an ordinary machine.
 * The far side has every host of `hosts`. Needs root. Nothing leaves the two namespaces.
 */
export interface Lab extends AsyncDisposable {
  /** Starts a program on the near side that runs until it is disposed of; resolves at its first output. */
  background(
    argv: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Record<string, string> },
  ): Promise<Disposable & { readonly pid: number }>
  /** Everything that has arrived at the internet so far. */
  readonly arrivals: Arrival[]
  /** The root certificate of the internet's TLS servers. */
  readonly certificate: string
  /** Runs the built command on the near side. */
  paddock(stage: Stage, args: readonly string[], input?: string): Promise<Ran>
  /** Runs a program on the near side, as root by default. */
  run(argv: readonly string[], options?: { readonly cwd?: string; readonly env?: Record<string, string> }): Promise<Ran>
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export async function openInternetLab(): Promise<Lab> {
  const directory = await mkdtemp('/tmp/paddock-lab-')
  const resolvConf = path.join(directory, 'resolv.conf')
  await writeFile(resolvConf, `nameserver ${hosts.resolver}\noptions timeout:2 attempts:2\n`)
  // A new directory, because the checkout may be anywhere else.
  const devices = path.join(directory, 'devices')
  await mkdir(devices)
  // A tun device that every user of the near side may open, as on an ordinary desktop. The machine's own device is unchanged.
  const prepare = `mount --bind ${resolvConf} /etc/resolv.conf && mount -t tmpfs none ${devices} && mknod -m 0666 ${devices}/tun c 10 200 && mount --bind ${devices}/tun /dev/net/tun && echo up && exec sleep 3600`
  const nearSide = spawn('unshare', ['--net', '--mount', '--propagation', 'private', '--', 'sh', '-c', prepare], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const farSide = spawn('unshare', ['--net', '--', 'sh', '-c', 'echo up && exec sleep 3600'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const held = [nearSide, farSide]
  await Promise.all(held.map((each) => once(each.stdout, 'data')))
  const [nearPid, farPid] = held.map((each) => String(each.pid)) as [string, string]
  const inNear = (argv: readonly string[]): readonly string[] => [
    'nsenter',
    `--net=/proc/${nearPid}/ns/net`,
    `--mount=/proc/${nearPid}/ns/mnt`,
    '--',
    ...argv,
  ]
  const inFar = (argv: readonly string[]): readonly string[] => ['nsenter', `--net=/proc/${farPid}/ns/net`, '--', ...argv]
  const ip = (enter: typeof inNear, lines: readonly string[]): void => {
    const [program = '', ...args] = enter(['ip', '-batch', '-'])
    execFileSync(program, args, { input: `${lines.join('\n')}\n` })
  }
  ip(inNear, ['link set lo up', `link add wire type veth peer name wire netns ${farPid}`, 'link set wire up'])
  ip(inNear, [
    `address add ${near.address}/24 dev wire`,
    `address add ${near.second}/32 dev lo`,
    `address add ${near.address6}/64 dev wire nodad`,
  ])
  ip(inFar, [
    'link set lo up',
    'link set wire up',
    `address add ${near.gateway}/24 dev wire`,
    `address add ${near.gateway6}/64 dev wire nodad`,
  ])
  ip(
    inFar,
    Object.values(hosts).map((each) => (each.includes(':') ? `address add ${each}/128 dev lo nodad` : `address add ${each}/32 dev lo`)),
  )
  ip(inNear, [`route add default via ${near.gateway}`, `route add ::/0 via ${near.gateway6} dev wire`])

  const arrivals: Arrival[] = []
  const [program = '', ...args] = inFar([
    process.execPath,
    fileURLToPath(new URL('./internet.ts', import.meta.url)),
    ...Object.values(hosts),
  ])
  const internet = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const certificate = await new Promise<string>((resolve, reject) => {
    internet.on('message', (message: Arrival | { readonly ready: string }) => {
      if ('ready' in message) resolve(message.ready)
      else arrivals.push(message)
    })
    internet.once('exit', (code) => reject(new Error(`the internet ended with ${code}`)))
  })

  const start = (
    argv: readonly string[],
    options: { readonly cwd?: string; readonly env?: Record<string, string>; readonly input?: string } = {},
  ): Promise<Ran> => {
    const [first = '', ...rest] = inNear(['sh', '-c', 'cd "$0" && exec "$@"', options.cwd ?? '/', ...argv])
    return toEnd(spawn(first, rest, { env: { PATH: searchPath, ...options.env } }), options.input)
  }
  return {
    arrivals,
    certificate,
    paddock: (stage, words, input) =>
      start(command(stage.who, words), { cwd: stage.project, env: stage.env, ...(input === undefined ? {} : { input }) }),
    run: (argv, options) => start(argv, options),
    async background(argv, options = {}) {
      const [first = '', ...rest] = inNear(['sh', '-c', 'cd "$0" && exec "$@"', options.cwd ?? '/', ...argv])
      const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: searchPath, ...options.env } })
      await once(child.stdout, 'data')
      return { pid: child.pid ?? 0, [Symbol.dispose]: () => void child.kill('SIGKILL') }
    },
    async [Symbol.asyncDispose]() {
      const ends = [internet, ...held].map(async (each) => {
        if (each.exitCode !== null || each.signalCode !== null) return
        each.kill('SIGKILL')
        await once(each, 'exit')
      })
      await Promise.all(ends)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function toEnd(child: ChildProcess, input = ''): Promise<Ran> {
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const read = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
    let all = ''
    for await (const chunk of stream ?? []) all += String(chunk)
    return all
  }
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [stdout, stderr, [code, signal]] = await Promise.all([read(child.stdout), read(child.stderr), closed])
  return { code, signal, stdout, stderr }
}

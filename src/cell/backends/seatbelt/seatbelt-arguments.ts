import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import type { LimitInForce, LimitName } from '../../plan/cell-limits.ts'
import { targetOf } from '../../plan/filesystem.ts'
import type { CellPlan } from '../../plan/plan.ts'
import { seatbeltProfile } from './profile.ts'
import type { Layout } from './seatbelt-layout.ts'

/** The weaknesses of every cell on macOS compared with Linux. Printed by `paddock doctor`, `paddock verify` and the docs. */
export const weaker: readonly string[] = [
  'the kernel is the host’s: one table of processes, one host name, the user’s own uid',
  'files are hidden by rules on paths, not by absence: what is denied is EPERM and not ENOENT, and the names of the directories above a visible path can be told',
  'memory, processes and processor time are not limited for the cell as a whole',
  'a process that leaves its group survives the end of the cell; its rules stay, and its way out is closed',
  'names reach the gateway by proxy variables: a program that ignores them has no network',
  'servers inside of a cell cannot be reached, not even by itself; /tmp is not there, TMPDIR is',
]

/** The gateway's address from inside the cell. */
export interface ProxyPlace {
  readonly port: number
  readonly token: string
}

/** The command to start on the host for a cell. */
export interface SeatbeltCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/**
 * Throws if a plan contains something that Seatbelt cannot enforce.
 * @throws PaddockError `UNENFORCEABLE`
 */
export function refuseUnenforceable(plan: CellPlan): void {
  const no = (what: string, hint: string): never => {
    throw new PaddockError('UNENFORCEABLE', `${plan.name}: ${what} on macOS.`, { hint })
  }
  if (plan.egress.mode === 'public' || plan.egress.mode === 'open')
    no(
      `${plan.egress.mode} egress cannot be enforced: a rule of the sandbox names all addresses or the loopback, so internal ranges cannot be told from the internet,`,
      'Use --egress allowlist or --egress off',
    )
  if (plan.terminal) no('a cell cannot have a terminal of its own', 'Give it a prompt with --prompt')
  if (plan.publish.length > 0) no('ports of a cell cannot be published', 'Leave --publish out')
  for (const limit of ['memory', 'pids', 'cpus'] as const)
    if (plan.limits[limit].asked && plan.limits[limit].value !== null && !plan.degraded.includes(limit))
      no(`a limit of ${limit} cannot be held for the cell as a whole`, 'Leave the limit out')
}

/** The mechanism for each limit on macOS. */
export const held: Readonly<Record<LimitName, { readonly mechanism: string; readonly gap?: string }>> = {
  timeout: { mechanism: 'host timer' },
  silence: { mechanism: 'host timer' },
  memory: { mechanism: 'none', gap: 'macOS limits no group of processes' },
  pids: { mechanism: 'none', gap: 'macOS counts the processes of a user, not of a cell' },
  fileSize: { mechanism: 'rlimit' },
  disk: { mechanism: 'size watch', gap: 'writable directories are measured every few seconds; the cell’s own TMPDIR is not' },
  cpus: { mechanism: 'none', gap: 'macOS divides no processor time among groups of processes' },
}

/** Returns the mechanisms for the limits of a plan on macOS. */
export function seatbeltLimits(plan: CellPlan): readonly LimitInForce[] {
  return (Object.keys(held) as LimitName[]).map((limit) => {
    const { value, asked } = plan.limits[limit]
    return value === null ? { limit, value, asked, mechanism: 'none' } : { limit, value, asked, ...held[limit] }
  })
}

/** Returns the command that runs a plan under its profile. Pure. NOT RUN ON MACOS. */
export function seatbeltCommand(plan: CellPlan, layout: Layout, proxy: ProxyPlace | null): SeatbeltCommand {
  const place = placing(plan, layout)
  const [tmp = '/tmp', home] = [place('/tmp'), place(plan.identity.home)]
  const fileSize = plan.limits.fileSize.value
  const script = [
    'ulimit -c 0',
    // In blocks of 512 bytes (POSIX, ulimit).
    ...(fileSize === null ? [] : [`ulimit -f ${Math.ceil(fileSize / 512)}`]),
    ...plan.prepare.map(({ from, to, overwrite }) => {
      const [source, target] = [quoted(place(from)), quoted(place(to))]
      const copy = `mkdir -p ${quoted(path.dirname(place(to)))} && cp ${source} ${target} && chmod 600 ${target}`
      return overwrite ? copy : `[ -e ${target} ] || [ -L ${target} ] || { ${copy}; }`
    }),
    'exec "$@"',
  ].join('\n')
  const { env } = plan
  const url = proxy === null ? null : `http://cell:${proxy.token}@127.0.0.1:${proxy.port}`
  const gitConfig = layout.moved.find((each) => each.cell === '/etc/gitconfig')
  return {
    program: '/usr/bin/sandbox-exec',
    args: [
      '-p',
      seatbeltProfile(layout, proxy?.port ?? null),
      '/bin/sh',
      '-c',
      script,
      'sh',
      ...plan.command.map((each) => inText(each, place)),
    ],
    env: {
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inText(value, place)])),
      HOME: home,
      TMPDIR: tmp,
      ...(gitConfig === undefined ? {} : { GIT_CONFIG_SYSTEM: gitConfig.host }),
      ...(url === null ? {} : proxyVariables(url)),
    },
    cwd: place(plan.cwd),
  }
}

function proxyVariables(url: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const both = [...names, ...names.map((each) => each.toLowerCase())]
  return { ...Object.fromEntries(both.map((each) => [each, url])), NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' }
}

/** Returns a function that maps a path of the plan to its path on the host. The deepest entry that contains the path decides. */
function placing(plan: CellPlan, layout: Layout): (file: string) => string {
  const moved = new Map(layout.moved.map((each) => [each.cell, each.host]))
  const stays = new Set(plan.filesystem.filter((each) => each.kind !== 'inert').map(targetOf))
  return (file) => {
    for (let at = path.normalize(file); ; at = path.dirname(at)) {
      const host = moved.get(at)
      if (host !== undefined) return path.join(host, path.relative(at, file))
      if (stays.has(at) || at === path.dirname(at)) return file
    }
  }
}

/**
 * Replaces the paths of the plan in an argument: a whole path, a list (`PATH`), or the value after an option's equals sign. Other text
 * is unchanged.
 */
function inText(text: string, place: (file: string) => string): string {
  const [, option = '', rest = text] = /^(--?[A-Za-z][A-Za-z0-9-]*=)(\/.*)$/s.exec(text) ?? []
  if (!rest.startsWith('/')) return text
  const parts = rest.split(':')
  const all = parts.every((each) => each.startsWith('/') || each === '')
    ? parts.map((each) => (each === '' ? each : place(each)))
    : [place(rest)]
  return `${option}${all.join(':')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

import path from 'node:path'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import type { LimitPlan } from './cell-limits.ts'
import type { FsEntry } from './filesystem.ts'

/** The file to which the host appends what it denied the cell (`src/cell/run/denied-log.ts`). */
export const deniedLogFile = '/run/paddock/denied.log'

/** Maximum number of protected paths in the files. */
const mostPaths = 200
const mostShown = 12

interface CellLimits {
  readonly cwd: string
  readonly filesystem: readonly FsEntry[]
  readonly egress: EgressPolicy
  readonly limits: LimitPlan
}

/** Returns the files in which a cell finds its own limits. They contain nothing that the cell could not find out by trying. */
export function cellFiles(plan: CellLimits): readonly FsEntry[] {
  const policy = policyOf(plan)
  return [
    { kind: 'file', target: '/run/paddock/policy.json', content: `${JSON.stringify(policy, null, 2)}\n` },
    { kind: 'file', target: '/run/paddock/README.md', content: readme(policy, plan.cwd) },
    { kind: 'file', target: deniedLogFile, content: '' },
  ]
}

function policyOf({ filesystem, egress, limits }: CellLimits) {
  const writable = filesystem.flatMap((each) => {
    if (each.kind === 'bind') return each.access === 'rw' && each.reason !== 'guard' ? [each.target] : []
    if (each.kind === 'toolchain') return [each.target]
    return each.kind === 'tmpfs' || (each.kind === 'overlay' && each.access === 'rw') ? [each.path] : []
  })
  const kept = filesystem.flatMap((each) =>
    each.kind === 'inert' || (each.kind === 'bind' && each.access === 'ro' && each.reason === 'run-later') ? [each.target] : [],
  )
  const hosts = (egress.mode === 'off' ? [] : egress.entries).map(({ host, ports, inspect, ask }) => ({
    host,
    ports,
    ...(inspect === undefined ? {} : { inspected: true }),
    ...(ask === true ? { asks: true } : {}),
  }))
  return {
    schemaVersion: 1,
    writable,
    protected: kept.slice(0, mostPaths),
    protectedMore: Math.max(0, kept.length - mostPaths),
    egress: { mode: egress.mode, hosts },
    limits: Object.fromEntries(Object.entries(limits).map(([name, { value }]) => [name, value])),
    denied: deniedLogFile,
  }
}

type Policy = ReturnType<typeof policyOf>

const networks: Readonly<Record<EgressPolicy['mode'], string>> = {
  off: 'There is no network.',
  allowlist: 'Only these hosts can be reached, over TCP. No other name exists here',
  public: 'The internet can be reached, but no internal address. These hosts are treated specially',
  open: 'Everything can be reached, except the loopback of the host. These hosts are treated specially',
}

function readme({ writable, protected: kept, protectedMore, egress }: Policy, cwd: string): string {
  const near = (file: string): string => {
    const below = path.relative(cwd, file)
    return below === '' || below.startsWith('..') ? file : below
  }
  const hosts = egress.hosts.map(({ host, ports, asks }) => `${host}:${ports.join(',')}${asks === true ? ' (waits for the user)' : ''}`)
  const shown = kept.slice(0, mostShown).map(near)
  const more = kept.length - shown.length + protectedMore
  return [
    '# This cell',
    '',
    'Paddock runs this program in a cell. Nothing in the cell can change these limits. `policy.json` has them for programs.',
    '',
    `- **Writable:** ${writable.join(', ')}`,
    `- **Network:** ${networks[egress.mode]}${egress.mode === 'off' ? '' : `: ${hosts.join(', ') || 'none'}.`}`,
    ...(shown.length === 0
      ? []
      : [
          `- **Protected** (read-only, because programs on the host run them later): ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]),
    `- **Denied:** \`${deniedLogFile}\` lists each denied host once, with the reason.`,
    '',
    'If the task needs more, do not work around a limit. Finish what is possible, and tell the user what is missing: the host and port',
    '(`--allow HOST:PORT`), the path (`--rw PATH`), or the variable or secret (`--env NAME`, `--secret NAME=REF@HOST`).',
    '',
  ].join('\n')
}

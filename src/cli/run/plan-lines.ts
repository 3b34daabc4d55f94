import { formatDuration, formatSize } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import type { PlannedLimit } from '../../cell/plan/cell-limits.ts'
import type { CellPlan } from '../../cell/plan/plan.ts'

/** Returns the `--dry-run` output for a plan. `toCopy`: the project that is copied before the cell starts, if there is one. */
export function planLines(plan: CellPlan, toCopy?: string): readonly string[] {
  return [
    `command   ${plan.command.join(' ')}`,
    `directory ${plan.cwd}`,
    ...(toCopy === undefined ? [] : ['copy      the cell gets a copy of the project at the same path']),
    `user      ${plan.identity.user} (${plan.identity.uid}), home ${plan.identity.home}`,
    ...wayOutLines(plan).map(printable),
    '',
    'environment',
    ...Object.keys(plan.env)
      .toSorted()
      .map((name) => `  ${name}`),
    ...(plan.notInPath.length === 0
      ? []
      : ['', 'directories of PATH that the cell does not have (--ro shows one)', ...plan.notInPath.map((each) => `  ${each}`)]),
    '',
    ...(plan.notices.length === 0 ? [] : ['notices', ...plan.notices.map((each) => `  ${printable(each)}`), '']),
    ...(plan.posture === 'L0'
      ? ['files (those of this machine, as you see them)']
      : ['files (nothing else exists in the cell)', ...plan.filesystem.map((each) => `  ${describeEntry(each)}`)]),
    '',
    'limits',
    ...Object.entries(plan.limits).map(([name, limit]) => `  ${name.padEnd(10)} ${limitText(name, limit)}`),
  ]
}

function wayOutLines({ wayOut }: CellPlan): readonly string[] {
  const { proxy, certificates = [] } = wayOut ?? {}
  const except = proxy === undefined || proxy.except === '' ? '' : `, except ${proxy.except} (${proxy.exceptFrom})`
  return [
    ...(proxy === undefined ? [] : [`way out   ${proxy.url} (${proxy.from})${except}`]),
    ...certificates.map(({ file, from, count }) => `trusts    ${count} certificate${count === 1 ? '' : 's'} of ${file} (${from})`),
  ]
}

function limitText(name: string, { value, asked }: PlannedLimit): string {
  if (value === null) return 'none'
  const byName: Readonly<Record<string, (value: number) => string>> = {
    timeout: formatDuration,
    silence: formatDuration,
    memory: formatSize,
    fileSize: formatSize,
    disk: formatSize,
  }
  return `${(byName[name] ?? String)(value)}${asked ? ' (asked for)' : ''}`
}

function describeEntry(entry: CellPlan['filesystem'][number]): string {
  switch (entry.kind) {
    case 'system':
      return `ro    ${entry.path}`
    case 'overlay':
      return `${entry.access}    ${entry.path} (${entry.access === 'ro' ? 'as on this machine' : 'changes are discarded'}${entry.hidden.length === 0 ? '' : `, without ${entry.hidden.join(', ')}`})`
    case 'symlink':
      return `link  ${entry.path} → ${entry.to}`
    case 'bind':
      return `${entry.access}    ${entry.target}${entry.source === entry.target ? '' : ` (from ${entry.source})`}  [${entry.reason}]`
    case 'toolchain':
      return `rw    ${entry.target} (${entry.layer === undefined ? 'changes are discarded' : 'changes are kept with the private home'})  [toolchain]`
    case 'copy':
      return `copy  ${entry.target} (changes are discarded)`
    case 'file':
      return `file  ${entry.target}`
    case 'mask':
      return `mask  ${entry.target} (appears empty)`
    case 'link':
      return `link  ${entry.target} (cannot be replaced)`
    case 'inert':
      return `ro    ${entry.target} (does not exist, and cannot be created)`
    default:
      return `${entry.kind.padEnd(5)} ${entry.path}`
  }
}

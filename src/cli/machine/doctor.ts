import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { release } from 'node:os'
import { promisify } from 'node:util'
import { searchDirectories } from '../../adapters/locate.ts'
import { adapters } from '../../adapters/registry.ts'
import { notRun, weaker } from '../../cell/backends/seatbelt/arguments.ts'
import { postureMeaning } from '../../cell/plan/posture.ts'
import type { CellReport } from '../../cell/report.ts'
import { exitCodes, messageOf, PaddockError } from '../../errors.ts'
import { findTool } from '../../files/system-tools.ts'
import type { Host } from '../../host.ts'
import { openCliHost } from '../open-host.ts'
import { printJson } from '../terminal/output.ts'
import { version } from '../version.ts'
import { gitCheck } from './doctor-git.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly hint?: string
}

interface Diagnosis {
  readonly schemaVersion: 1
  readonly version: string
  /** True where cells can be started here. */
  readonly ok: boolean
  readonly system: string
  readonly checks: readonly Check[]
  /** How limits are held here, as the probe's report has it. */
  readonly limits: CellReport['limits']
  readonly agents: readonly {
    readonly name: string
    readonly installed: boolean
    readonly version: string | null
    readonly tried: boolean
    readonly hint: string
  }[]
}

/** What this machine can enforce. The last word has a real cell, started with the real flags. */
export async function doctorCommand(options: { readonly json?: boolean }): Promise<number> {
  const host = openCliHost()
  try {
    const { check: cell, limits } = await probe(host)
    const checks =
      process.platform === 'darwin'
        ? [...seatbeltChecks(), cell]
        : [
            ...toolChecks(host),
            ...(await bubblewrapVersion(host)),
            ...kernelChecks(),
            cell,
            ...(await egressChecks(cell.ok, host)),
            ...(await gitCheck(host.env)),
          ]
    const diagnosis: Diagnosis = {
      schemaVersion: 1,
      version,
      ok: cell.ok,
      system: `${process.platform} ${release()} ${process.arch}, Node ${process.versions.node}, ${host.machine.user.uid === 0 ? 'root' : `user ${host.machine.user.name}`}`,
      checks,
      limits,
      agents: await agentList(host),
    }
    if (options.json === true) printJson(diagnosis)
    else print(diagnosis)
    return cell.ok ? exitCodes.done : exitCodes.no
  } finally {
    host[Symbol.dispose]()
  }
}

const tools: readonly { readonly name: string; readonly purpose: string; readonly hint: string }[] = [
  { name: 'bwrap', purpose: 'builds the cell', hint: 'apt-get install bubblewrap' },
  { name: 'unshare', purpose: 'makes its network namespace', hint: 'apt-get install util-linux' },
  { name: 'nsenter', purpose: 'publishes ports of it', hint: 'apt-get install util-linux' },
  { name: 'prlimit', purpose: 'sets limits in it', hint: 'apt-get install util-linux' },
  { name: 'ip', purpose: 'brings its network up where there is no Perl', hint: 'apt-get install iproute2' },
  {
    name: 'perl',
    purpose: 'opens the gateway’s listeners quickly, and makes idmapped mounts when Paddock runs as root',
    hint: 'apt-get install perl-base',
  },
]

function toolChecks(host: Host): Check[] {
  return tools.map(({ name, purpose, hint }) => {
    const file = findTool(name, host.env['PATH'] ?? '')
    return file === null
      ? { name, ok: false, detail: `not installed; it ${purpose}`, hint }
      : { name, ok: true, detail: `${file}: ${purpose}` }
  })
}

/** What a cell on macOS would be, said before anything else: none has been seen to work. */
function seatbeltChecks(): Check[] {
  return [
    { name: 'seatbelt', ok: false, detail: notRun, hint: 'Use Paddock on Linux, or in a Linux virtual machine, where it matters.' },
    ...weaker.map((detail) => ({ name: 'weaker on macOS', ok: false, detail })),
  ]
}

/** `--disable-userns` came with 0.8 (bwrap(1)). */
async function bubblewrapVersion(host: Host): Promise<Check[]> {
  const file = findTool('bwrap', host.env['PATH'] ?? '')
  if (file === null) return []
  const said = await promisify(execFile)(file, ['--version'], { timeout: 5000 }).then(({ stdout }) => stdout, messageOf)
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? []
  const ok = Number(major) > 0 || Number(minor) >= 8
  const hint = ok ? {} : { hint: 'Install bubblewrap 0.8 or newer.' }
  return [{ name: 'bwrap version', ok, detail: `${said.trim()}; 0.8 is needed to close further user namespaces`, ...hint }]
}

function kernelChecks(): Check[] {
  const closed: Check[] = []
  const setting = (file: string): string => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      return ''
    }
  }
  if (setting('/proc/sys/user/max_user_namespaces') === '0') {
    closed.push({
      name: 'user namespaces',
      ok: false,
      detail: 'closed by user.max_user_namespaces=0',
      hint: 'sudo sysctl -w user.max_user_namespaces=15000',
    })
  }
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    closed.push({
      name: 'user namespaces',
      ok: false,
      detail: 'closed by kernel.unprivileged_userns_clone=0',
      hint: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    })
  }
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    closed.push({
      name: 'user namespaces',
      ok: false,
      detail: 'restricted by AppArmor to programs with a profile',
      hint: 'Give bwrap and unshare a profile that allows userns, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    })
  }
  return closed.length > 0 ? closed : [{ name: 'user namespaces', ok: true, detail: 'not restricted' }]
}

/** A cell that sees nothing of anybody's. */
const bare = {
  name: 'doctor',
  cwd: '/tmp',
  mounts: [],
  files: [],
  home: { kind: 'temporary' },
  env: {},
  pathEntries: [],
  terminal: false,
  degraded: [],
} as const

async function egressChecks(cellWorks: boolean, host: Host): Promise<Check[]> {
  return [
    { name: 'egress off, allowlist', ok: cellWorks, detail: cellWorks ? 'enforced by the gateway' : 'needs working cells' },
    cellWorks ? await publicCheck(host) : { name: 'egress public, open', ok: false, detail: 'needs working cells' },
  ]
}

/** A real cell with a real network and its packet filter; nothing is sent. */
async function publicCheck(host: Host): Promise<Check> {
  const name = 'egress public, open'
  try {
    const cell = await host.startCell(
      {
        ...bare,
        command: ['true'],
        egress: { mode: 'public', entries: [], blocked: [] },
        limits: { wallMs: 20_000 },
      },
      { stdin: 'none' },
    )
    cell.stdout.resume()
    cell.stderr.resume()
    const { ending } = await cell.done
    const ok = ending.kind === 'exited' && ending.code === 0
    return { name, ok, detail: ok ? 'enforced by pasta and a packet filter' : `a cell with a real network ended by ${ending.kind}` }
  } catch (error) {
    const hint = error instanceof PaddockError ? error.hint : undefined
    return { name, ok: false, detail: messageOf(error), ...(hint === undefined ? {} : { hint }) }
  }
}

/** A real cell with an allowlist, so that every part takes part: listeners, gateway, mounts, limits. */
async function probe(host: Host): Promise<{ readonly check: Check; readonly limits: CellReport['limits'] }> {
  const script = [
    'test "$(id -u)" != 0',
    '! test -e /proc/1/root/etc/shadow',
    'grep -q "^CapEff:.0*$" /proc/self/status',
    'getent hosts probe.paddock.test',
  ].join(' && ')
  try {
    const cell = await host.startCell(
      {
        ...bare,
        command: ['/bin/sh', '-c', script],
        egress: { mode: 'allowlist', entries: [{ host: 'probe.paddock.test', ports: [443], internal: false, source: 'doctor' }] },
        limits: { wallMs: 30_000, silenceMs: 30_000 },
      },
      { stdin: 'none' },
    )
    cell.stdout.resume()
    let said = ''
    for await (const chunk of cell.stderr) said += String(chunk)
    const report = await cell.done
    const ok = report.ending.kind === 'exited' && report.ending.code === 0
    const detail = ok
      ? `a real cell started and ended in ${report.durationMs} ms`
      : `a real cell ended with ${JSON.stringify(report.ending)} ${said.trim()}`
    return { check: { name: 'cell', ok, detail }, limits: report.limits }
  } catch (error) {
    const hint = error instanceof PaddockError ? error.hint : undefined
    return { check: { name: 'cell', ok: false, detail: messageOf(error), ...(hint === undefined ? {} : { hint }) }, limits: [] }
  }
}

async function agentList(host: Host): Promise<Diagnosis['agents']> {
  const search = searchDirectories(host.env['PATH'] ?? '', host.paths.userHome)
  const found = adapters
    .filter((each) => each.name !== 'command')
    .map(async (each) => {
      const installation = await each.locate(search)
      return {
        name: each.name,
        installed: installation !== null,
        version: installation?.version ?? null,
        tried: each.tried,
        hint: each.installHint,
      }
    })
  return Promise.all(found)
}

function print(diagnosis: Diagnosis): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  out(`paddock ${diagnosis.version} on ${diagnosis.system}\n`)
  for (const each of diagnosis.checks) {
    out(`${each.ok ? 'ok ' : 'no '} ${each.name.padEnd(22)} ${each.detail}`)
    if (each.hint !== undefined) out(`   ${''.padEnd(22)} → ${each.hint}`)
  }
  if (diagnosis.limits.length > 0) {
    out('\nlimits, as this machine holds them')
    for (const each of diagnosis.limits)
      out(`   ${each.limit.padEnd(22)} ${each.mechanism}${each.gap === undefined ? '' : ` (${each.gap})`}`)
  }
  out('\nagents')
  for (const each of diagnosis.agents) {
    const untried = each.tried ? '' : ' (its adapter has not been run with the real CLI)'
    out(
      `   ${each.name.padEnd(22)} ${each.installed ? `installed${each.version === null ? '' : `, ${each.version}`}${untried}` : `not installed → ${each.hint}`}`,
    )
  }
  out('\npostures')
  for (const [posture, meaning] of Object.entries(postureMeaning))
    out(`   ${posture}  ${meaning}${posture === 'L2' ? '  ← cells of this version' : ''}`)
  out(`\n${diagnosis.ok ? 'Cells work here.' : 'Cells do not work here; the lines marked "no" say why.'}`)
}

import path from 'node:path'
import { endpointCause } from '../../adapters/output/endpoint-cause.ts'
import { formatDuration, formatMoment, formatSize } from '../../base/quantities.ts'
import { listed, printable } from '../../base/text.ts'
import type { CellPlan } from '../../cell/plan/plan.ts'
import { reachedBy, trifecta } from '../../cell/plan/trifecta/trifecta.ts'
import type { CellReport } from '../../cell/report.ts'
import { filesText, gitFacts, gitLines } from '../../run/changes-text.ts'
import { exitText } from '../../run/exit-text.ts'
import type { RunOutcome } from '../../run/run-outcome.ts'
import { telemetry } from '../../telemetry/current-telemetry.ts'
import {
  asideLines,
  configLines,
  discardedLines,
  heldLines,
  laterLines,
  launderedLines,
  linkLines,
  submoduleLines,
} from './change-lines.ts'

/** Returns one line about what the cell can do. `toCopy`: the project that is copied after this plan and before the cell starts. */
export function startLine(plan: CellPlan, toCopy?: string): string {
  const { privateData, untrusted } = trifecta(plan, toCopy)
  const reached = reachedBy(plan)
  const egress =
    plan.egress.mode === 'allowlist' ? `allowlist (${reached.length === 0 ? 'nothing' : listed(reached, 4)})` : plan.egress.mode
  const proxy = plan.wayOut?.proxy === undefined ? '' : ` through ${plan.wayOut.proxy.url}`
  // Hosts that the cell may reach are in the line already.
  const read = untrusted.filter((each) => !reached.some((way) => way === each || way.startsWith(`${each}:`)))
  const reads = read.length === 0 ? '' : ` · text of others: ${listed(read, 4)}`
  const sees = `sees ${listed(privateData, 6) || 'no private data'}${reads}`
  const nothing = plan.posture === 'L0' ? ' · on the bare host: limits, a clean environment and the log, and no other protection' : ''
  return printable(`${plan.posture} · ${plan.backend} · egress ${egress}${proxy} · ${sees}${nothing}${telemetryText()}`)
}

/** Returns where the traces of the run go. A variable that was set for another program is enough to send them. */
function telemetryText(): string {
  const { endpoint } = telemetry()?.settings ?? {}
  return endpoint === undefined ? '' : ` · traces to ${endpoint.value} (${endpoint.place})`
}

/** Returns true if the project has files and no `.git`, so that the cell gets an inert entry in its place. */
export function hasNoRepository({ filesystem }: CellPlan): boolean {
  return filesystem.some((each) => each.kind === 'inert' && path.basename(each.target) === '.git')
}

/**
 * Returns a few lines about the run of a cell: its end, refusals of its model API, changes, denials, and files that will run later on
 * this machine. `isCopy`: true if the changes are reported elsewhere, by content.
 */
export function endLines(report: CellReport, isCopy = false, outcome: RunOutcome | null = null): readonly string[] {
  const changes = isCopy ? '' : changesText(report)
  const lines: string[] = [`${endingText(report)} after ${formatDuration(report.durationMs)}${changes}${egressText(report)}`]
  const well = report.ending.kind === 'exited' && report.ending.code === 0
  const cause = outcome === null ? (well ? null : causeOf(report)) : reasonOf(outcome, Date.parse(report.endedAt))
  if (cause !== null) lines.push(cause)
  if (report.ending.kind === 'unprotected')
    lines.push(
      `another program removed or replaced ${report.ending.path}, so the cell could write there (git stash -a and git clean -x do this)`,
      'run it again; with --copy you can change the project meanwhile. After git stash -a, the stash also contains empty files that Paddock created',
    )
  const inCopy = isCopy ? (report.changes?.git ?? []).filter((each) => each.workTree === '.').flatMap(gitFacts) : []
  if (inCopy.length > 0) lines.push(`git in the copy: ${inCopy.join(' · ')}; paddock apply takes files, not commits`)
  if (report.changes !== null)
    lines.push(
      ...gitLines(report.changes.git),
      ...heldLines(report.changes),
      ...submoduleLines(report.changes),
      ...laterLines(report.changes),
      // The review of a copy marks its links.
      ...(isCopy ? [] : linkLines(report.changes)),
      ...launderedLines(report.changes),
      ...configLines(report.changes),
      ...discardedLines(report.changes),
      ...asideLines(report.changes),
    )
  for (const each of report.limits)
    if (each.asked && each.gap !== undefined) lines.push(`limit ${each.limit}: ${each.mechanism}; ${each.gap}`)
  if (report.degraded.length > 0) lines.push(`given up for this run: ${report.degraded.join(', ')}`)
  return lines.map(printable)
}

function causeOf(report: CellReport): string | null {
  if (report.ending.kind === 'exited' && report.ending.why !== undefined) return report.ending.why
  return endpointCause(report.egress.models, null, Date.parse(report.endedAt))?.text ?? null
}

/** Returns the cause of a failure from the agent's events and the gateway; null on success. `now` is in milliseconds since the epoch. */
function reasonOf({ kind, message, resetsAt }: RunOutcome, now: number): string | null {
  if (kind !== 'rate-limited' || message?.startsWith('rate limited') === true) return message
  return `rate limited${resetsAt === null ? '' : ` until ${formatMoment(resetsAt, now)}`}: ${message}`
}

function endingText(report: CellReport): string {
  const { ending } = report
  const limit = (name: string): number | null => report.limits.find((each) => each.limit === name)?.value ?? null
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 ? 'done' : `exit ${exitText(ending.code)}`
    case 'out-of-memory':
      return `out of memory (limit ${formatSize(limit('memory') ?? 0)})`
    case 'out-of-time':
      return `out of time (limit ${formatDuration(limit('timeout') ?? 0)})`
    case 'silent':
      return `silent for ${formatDuration(limit('silence') ?? 0)}, ended`
    case 'out-of-disk':
      return `wrote more than ${formatSize(limit('disk') ?? 0)}, ended`
    case 'output-flood':
      return 'flooded its output, ended'
    case 'unprotected':
      return 'lost a protected path, ended'
    case 'cancelled':
      return 'cancelled'
    case 'start-failed':
      return `could not start: ${ending.message}`
  }
}

function changesText({ changes }: CellReport): string {
  if (changes === null) return ''
  return [filesText(changes), ...changes.git.filter((each) => each.workTree === '.').flatMap(gitFacts)].map((each) => ` · ${each}`).join('')
}

/** Returns what did not happen to which hosts: only what the policy denies could be allowed. */
function unreached(denied: CellReport['egress']['denied']): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { host, port, reason } of denied) {
    const verb = reason === 'unresolvable' ? 'could not resolve' : reason === 'unreachable' ? 'could not reach' : 'denied'
    const name = port === null || reason === 'unresolvable' ? host : `${host}:${port}`
    const hosts = found.get(verb) ?? []
    if (!hosts.includes(name)) hosts.push(name)
    found.set(verb, hosts)
  }
  return found
}

function egressText({ egress }: CellReport): string {
  const parts: string[] = []
  if (egress.reached.length > 0)
    parts.push(
      `reached ${listed(
        egress.reached.map((each) => `${each.host}:${each.port}`),
        4,
      )}`,
    )
  // The reasons were printed when they happened.
  for (const [verb, hosts] of unreached(egress.denied)) parts.push(`${verb} ${listed(hosts, 4)}`)
  if (egress.network !== undefined)
    parts.push(`${formatSize(egress.network.bytesOut)} out and ${formatSize(egress.network.bytesIn)} in over its own network`)
  // A host that is inspected only for a credential is not worth reporting.
  if (egress.requests !== undefined && egress.requests.denied > 0)
    parts.push(`${egress.requests.allowed} inspected requests passed, ${egress.requests.denied} denied`)
  return parts.length === 0 ? '' : ` · ${parts.join(' · ')}`
}

import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { AuditSink } from '../../audit/event.ts'
import type { Approver } from '../../egress/approvals/approval.ts'
import type { Connect } from '../../egress/connection/dial.ts'
import type { Resolver } from '../../egress/dns/resolver.ts'
import { type EgressGateway, openGateway } from '../../egress/gateway.ts'
import type { CellAuthority } from '../../egress/inspect/tls/authority.ts'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import { messageOf, PaddockError } from '../../errors.ts'
import { identify } from '../../files/process-identity.ts'
import type { Backend, BackendCell } from '../backend.ts'
import type { Cell, CellIo, StartCell } from '../cell.ts'
import type { MachineFacts, ProjectFacts } from '../plan/facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import { planFor } from '../plan/plan-for.ts'
import type { CellEnding, CellReport, ChangeSummary } from '../report.ts'
import { changesIn } from '../trees/changes.ts'
import { exclude, exclusionsFor, madeFor } from '../trees/git-exclude.ts'
import { type KnownEntry, knownEntries } from '../trees/known-entries.ts'
import { refuseLinkedHome } from '../trees/private-home.ts'
import { endingOf } from './ending.ts'
import { newRecord } from './new-record.ts'
import { noRoom } from './no-room.ts'
import { type CellRecord, type CellRegistry, openRegistry } from './registry.ts'
import { forget, ghostsIn, othersGhosts, removeGhosts, sweep, unlessOthers } from './sweep.ts'
import { type StopReason, watch } from './watch.ts'
import { watchProtected } from './watch-protected.ts'

/** What starting cells needs, made once per process. */
export interface LaunchDeps {
  readonly machine: MachineFacts
  readonly backend: Backend
  readonly resolver: Resolver
  /** For the names that cells make up under `public` and `open`; `resolver` unless told. */
  readonly realResolver?: Resolver
  /** How the gateway reaches an address that it has judged; TCP unless told. */
  readonly connect?: Connect
  readonly audit: AuditSink
  /** Answers what cells ask; absent means no. */
  readonly approve?: Approver
  /** Roots (PEM) that inspected hosts may have their certificates from, besides the system's. */
  readonly extraRoots?: readonly string[]
  /** Directory for records of running cells and their run directories. */
  readonly stateDirectory: string
  /** Milliseconds between asking a cell to end and ending it; 5,000 unless told. */
  readonly graceMs?: number
  /** Told what was moved aside, and the like, in the trees of a cell whose Paddock was killed; paths in full. */
  readonly onSwept?: (changes: ChangeSummary) => void
  /** Called each time that a name which a cell may reach does not resolve on this machine. */
  readonly onUnresolvable?: (host: string) => void
  /** Told the plan of each cell just before it starts. */
  readonly onPlan?: (plan: CellPlan) => void
}

let ownIdentity: ReturnType<typeof identify> | null = null

/** This very process; it does not change. */
function hostIdentity(): ReturnType<typeof identify> {
  ownIdentity ??= identify(process.pid)
  return ownIdentity
}

/** SHA-256 of a plan's JSON: what the audit log and the report keep of it. */
export function planHash(planned: CellPlan): string {
  return createHash('sha256').update(JSON.stringify(planned)).digest('hex')
}

/** Makes the function that starts cells; the only place where plan, gateway, backend, limits and report meet. */
export function cellLauncher(deps: LaunchDeps): StartCell {
  const registry = openRegistry(path.join(deps.stateDirectory, 'cells'))
  return async (spec, io, signal) => {
    signal?.throwIfAborted()
    await sweep(registry, deps.backend, deps.onSwept)
    const { planned, trees, authority } = planFor(spec, deps.machine, () => ghostsIn(registry))
    refuseLinkedHome(planned)
    deps.onPlan?.(planned)
    const launch = new Launch(deps, registry, planned, trees, authority, spec.credentials ?? [])
    return launch.start(io, signal)
  }
}

class Launch {
  readonly #deps: LaunchDeps
  readonly #registry: CellRegistry
  readonly #plan: CellPlan
  readonly #id = randomBytes(6).toString('hex')
  readonly #startedAt = Date.now()
  readonly #gateway: EgressGateway
  readonly #killLadder: string[] = []
  /** What was there before and is read-only in the cell. */
  readonly #protected: readonly string[]
  #record: CellRecord
  #stopped: CellEnding | null = null
  #cell: BackendCell | null = null

  constructor(
    deps: LaunchDeps,
    registry: CellRegistry,
    planned: CellPlan,
    trees: readonly ProjectFacts[],
    authority: CellAuthority | null,
    credentials: readonly CellCredential[],
  ) {
    this.#deps = deps
    this.#registry = registry
    this.#plan = planned
    this.#gateway = openGateway({
      cell: this.#id,
      policy: planned.egress,
      resolver: deps.resolver,
      audit: deps.audit,
      cellName: planned.name,
      ...(deps.approve === undefined ? {} : { approve: deps.approve }),
      ...(deps.onUnresolvable === undefined ? {} : { onUnresolvable: deps.onUnresolvable }),
      ...(deps.connect === undefined ? {} : { connect: deps.connect }),
      ...(deps.realResolver === undefined ? {} : { realResolver: deps.realResolver }),
      credentials,
      ...(authority === null ? {} : { authority }),
      ...(deps.extraRoots === undefined ? {} : { extraRoots: deps.extraRoots }),
    })
    this.#protected = trees.flatMap((each) => each.present)
    this.#record = newRecord(this.#id, deps.backend.name, this.#startedAt, planned, trees, deps.stateDirectory)
  }

  async start(io: CellIo, signal: AbortSignal | undefined): Promise<Cell> {
    const { audit, backend } = this.#deps
    const hash = planHash(this.#plan)
    audit({
      kind: 'cell.launch',
      cell: this.#id,
      data: {
        name: this.#plan.name,
        posture: backend.posture,
        backend: backend.name,
        egress: this.#plan.egress.mode,
        plan: hash,
        degraded: this.#plan.degraded,
      },
    })
    try {
      this.#remember({ ...this.#record, host: await hostIdentity() })
      mkdirSync(this.#record.runDirectory, { recursive: true, mode: 0o700 })
      this.#cell = await backend.start({
        id: this.#id,
        plan: this.#plan,
        io,
        runDirectory: this.#record.runDirectory,
        gateway: this.#gateway,
        remember: (traces) => this.#remember({ traces }),
        place: (ghosts, make) => this.#place(ghosts, make),
      })
    } catch (error) {
      await this.#gateway.close()
      forget(this.#registry, this.#record)
      audit({ kind: 'cell.end', cell: this.#id, data: { ending: 'start-failed', message: messageOf(error) } })
      if (error instanceof PaddockError) throw error
      const full = noRoom(error, [this.#deps.stateDirectory, ...this.#plan.trees])
      if (full !== null) throw full
      throw new PaddockError('CELL_FAILED', `The cell could not be started: ${messageOf(error)}`, { cause: error })
    }
    const cell = this.#cell
    const stop = (reason: StopReason): void => this.#stop(reason)
    const onAbort = (): void => stop('cancelled')
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    const ends = [watch(this.#plan, cell, stop), watchProtected(this.#protectedEntries(), (file) => this.#endUnprotected(file))]
    const unwatch = (): void => {
      for (const each of ends) each()
    }
    const done = this.#finish(cell, hash).finally(() => signal?.removeEventListener('abort', onAbort))
    cell.exited.then(unwatch, unwatch)
    return {
      id: this.#id,
      stdin: cell.stdin,
      stdout: cell.stdout,
      stderr: cell.stderr,
      done,
      stop,
      interrupt: cell.interrupt,
      kill: () => this.#kill(),
      isStopped: cell.isStopped,
      freeze: cell.freeze,
      goOn: cell.goOn,
      resize: cell.resize,
      connectInside: cell.connectInside,
    }
  }

  #place(ghosts: readonly string[], make: () => void): void {
    this.#registry.alone(() => {
      const others = othersGhosts(this.#registry, this.#id)
      const taken = ghosts.find((each) => !others.has(each) && lstatSync(each, { throwIfNoEntry: false }) !== undefined)
      if (taken !== undefined) {
        throw new PaddockError('CELL_FAILED', `${taken} was made while the cell was being built, by a program outside of it.`, {
          hint: 'Run it again.',
        })
      }
      const excluded = exclusionsFor(ghosts, this.#record.trees)
      this.#remember({
        ghosts: [...excluded.flatMap((each) => madeFor(each, others)), ...ghosts],
        excludes: excluded.map((each) => each.file),
      })
      for (const each of excluded) exclude(each, this.#registry.tag)
      make()
      this.#remember({ known: [...this.#record.known, ...knownEntries(ghosts)] })
    })
  }

  #remember(more: Partial<CellRecord>): void {
    this.#record = { ...this.#record, ...more }
    this.#registry.write(this.#id, more)
  }

  /** TERM, a pause, KILL; and the report says which of them it took. Memory is not waited for: there is more of it each moment. */
  #stop(reason: StopReason): void {
    const cell = this.#cell
    if (this.#stopped !== null || cell === null) return
    this.#stopped = { kind: reason }
    if (reason !== 'cancelled') this.#limitHit(reason)
    this.#killLadder.push('SIGTERM')
    cell.terminate()
    const kill = setTimeout(
      () => {
        this.#killLadder.push('SIGKILL')
        cell.kill()
      },
      reason === 'out-of-memory' ? 0 : (this.#deps.graceMs ?? 5000),
    )
    const clear = (): void => clearTimeout(kill)
    cell.exited.then(clear, clear)
  }

  #kill(): void {
    if (this.#cell === null) return
    this.#stopped ??= { kind: 'cancelled' }
    this.#killLadder.push('SIGKILL')
    this.#cell.kill()
  }

  /** At once: what the cell is asked first could use the time. */
  #endUnprotected(file: string): void {
    if (this.#stopped !== null || this.#cell === null) return
    this.#stopped = { kind: 'unprotected', path: file }
    this.#deps.audit({ kind: 'cell.unprotected', cell: this.#id, data: { path: file } })
    this.#killLadder.push('SIGKILL')
    this.#cell.kill()
  }

  #protectedEntries(): readonly KnownEntry[] {
    const watched = new Set([...this.#protected, ...this.#record.ghosts])
    return this.#record.known.filter(([file]) => watched.has(file))
  }

  #limitHit(limit: string): void {
    this.#deps.audit({ kind: 'cell.limit', cell: this.#id, data: { limit } })
  }

  async #finish(cell: BackendCell, hash: string): Promise<CellReport> {
    const { code, setupError } = await cell.exited
    const endedAt = Date.now()
    const { oomKilled, cpuMs, peakMemoryBytes, traffic } = await cell.close()
    if (oomKilled) this.#limitHit('out-of-memory')
    await this.#gateway.close()
    removeGhosts(this.#registry, this.#record)
    const changes = await changesIn(this.#plan.trees, this.#record, unlessOthers(this.#registry, this.#id))
    forget(this.#registry, this.#record)
    const report: CellReport = {
      schemaVersion: 1,
      cell: this.#id,
      name: this.#plan.name,
      posture: this.#deps.backend.posture,
      backend: this.#deps.backend.name,
      planHash: hash,
      startedAt: new Date(this.#startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      durationMs: endedAt - this.#startedAt,
      ending: endingOf(this.#stopped, code, oomKilled, setupError),
      killLadder: this.#killLadder,
      resources: { cpuMs, peakMemoryBytes },
      limits: cell.limits,
      egress: { ...this.#gateway.summary(), ...(traffic === null ? {} : { network: traffic }) },
      changes,
      degraded: this.#plan.degraded,
    }
    this.#deps.audit({
      kind: 'cell.end',
      cell: this.#id,
      data: {
        ending: report.ending.kind,
        ...(code === null ? {} : { code }),
        plan: hash,
        durationMs: report.durationMs,
        killLadder: this.#killLadder,
        cpuMs,
        peakMemoryBytes,
        connections: report.egress.connections,
        bytesOut: report.egress.bytesOut,
        bytesIn: report.egress.bytesIn,
        ...(traffic === null ? {} : { network: traffic }),
      },
    })
    return report
  }
}

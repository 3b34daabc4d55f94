import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Backends, onlyRun, requireBackend } from '../../base/cell-place.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { OriginedRule } from '../../base/trifecta-rating.ts'
import type { EgressGateway } from '../../egress/cell-gateway.ts'
import { authorityOf } from '../../egress/inspect/tls/authority-of.ts'
import type { OnDenied } from '../../egress/ledger.ts'
import { noGateway } from '../../egress/no-gateway.ts'
import { gitConfigMark } from '../../git/config-mark.ts'
import { identify } from '../../system/process-identity.ts'
import { noteWritableTrees } from '../../system/writable-trees.ts'
import type { Backend, BackendCell, CellRemains } from '../backend.ts'
import type { Cell, CellIo, StartCell } from '../cell.ts'
import type { ConfigView } from '../plan/config-view.ts'
import { contains } from '../plan/filesystem.ts'
import type { HeldRepository } from '../plan/held/held-repository.ts'
import type { MachineFacts, ProjectFacts } from '../plan/machine-facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import { planFor, treesOf } from '../plan/plan-for.ts'
import type { CellSpec } from '../plan/spec.ts'
import { askAboutTrifecta, refuseTrifecta, ruleFor, type TrifectaConsent, type TrifectaMeans } from '../plan/trifecta/trifecta-gate.ts'
import type { CellReport, ChangeSummary } from '../report.ts'
import { inputDescriptorOf, pumpInput } from '../streams/pump-input.ts'
import { makeConfigViews, takeConfigViews } from '../trees/config-views.ts'
import { gitBefore } from '../trees/git-before.ts'
import { refreshHeld } from '../trees/held/refresh.ts'
import { refuseLinkedHome } from '../trees/keep-private-home.ts'
import type { KnownEntry } from '../trees/known-entries.ts'
import { Listing } from '../trees/listing.ts'
import type { CellStart } from '../trees/state-before.ts'
import { makeViews, settleViews } from '../trees/work-tree-views.ts'
import { type CellRecord, type CellRegistry, openRegistry } from './cell-registry.ts'
import { moveConfigsAside, recordAside } from './configs-aside.ts'
import { DeniedLog } from './denied-log.ts'
import { endChanges } from './end-changes.ts'
import { othersReach } from './entries-of-other-cells.ts'
import type { GatewayMeans } from './gateway-for.ts'
import type { HomeSide } from './home-side.ts'
import { newRecord } from './new-record.ts'
import { noRoom } from './no-room.ts'
import { keepOutput } from './output-tail.ts'
import { searchShared } from './own-shared.ts'
import { placeInert } from './place-inert.ts'
import { type EndedCell, endEvent, launchEvent, reportOf } from './report-of-cell.ts'
import { Stopping } from './stopping.ts'
import { startSurvivor } from './survivor.ts'
import { forget, inertPathsIn, removeInertEntries, returnConfigs, sweep } from './sweep-cells.ts'
import { canDoWithout, isHomeBusy, isHomeTaken, takeHome, withoutHome, withToolLayers } from './take-home.ts'
import { type StopReason, watch } from './watch-cell.ts'
import { watchHeld } from './watch-held.ts'
import { keptMounts, watchProtected } from './watch-protected.ts'

/** The dependencies for starting cells, created once per process. */
export interface LaunchDeps extends GatewayMeans {
  readonly machine: MachineFacts
  readonly backends: Backends<Backend>
  /** Directory that contains the records of running cells and their run directories. */
  readonly stateDirectory: string
  /** Milliseconds between the request to end a cell and killing it. Default: 5,000. */
  readonly graceMs?: number
  /** Called with quarantined entries and other changes in the trees of a cell whose Paddock was killed. Paths are absolute. */
  readonly onSwept?: (changes: ChangeSummary) => void
  /** Shows the user one line about cells of others that were left alone. */
  readonly notice?: (line: string) => void
  /** The command that cleans up after killed cells. It is run if this process is killed while git skips files on the host for a cell. */
  readonly survivor?: readonly string[]
  /** The rule about the lethal trifecta; absent: none, for the cells of probes. */
  readonly trifecta?: TrifectaMeans
  /** Called with the plan of each cell just before it starts. */
  readonly onPlan?: (plan: CellPlan) => void
  /** The machine for which the cells run; absent: this one. */
  readonly home?: HomeSide
}

let ownIdentity: ReturnType<typeof identify> | null = null

/** Returns the identity of this process, which does not change. */
function hostIdentity(): ReturnType<typeof identify> {
  ownIdentity ??= identify(process.pid)
  return ownIdentity
}

/** Returns the SHA-256 of a plan's JSON, which the audit log and the report contain. */
function planHash(planned: CellPlan): string {
  return createHash('sha256').update(JSON.stringify(planned)).digest('hex')
}

/**
 * Returns the spec with the backend that builds the cell, and for its isolation level: a cell of L1 has the user's home, in memory, and
 * others keep what they install.
 * @throws PaddockError `UNENFORCEABLE`
 */
export function placed(spec: CellSpec, backends: Backends): CellSpec {
  if (spec.posture === 'L0' && spec.isBareHost !== true) throw onlyRun()
  const { name: backend } = requireBackend(backends, spec)
  return spec.posture === 'L1' ? { ...spec, backend, home: { kind: 'temporary' } } : withToolLayers({ ...spec, backend })
}

/** Returns the function that starts cells. Only here do plan, gateway, backend, limits and report come together. */
export function cellLauncher(deps: LaunchDeps): StartCell {
  const registry = openRegistry(path.join(deps.stateDirectory, 'cells'))
  const startWith = async (
    asked: CellSpec,
    io: CellIo,
    signal: AbortSignal | undefined,
    { rule, consent }: Awaited<ReturnType<typeof trifectaOf>>,
    notices: readonly string[] = [],
  ): ReturnType<StartCell> => {
    const spec = placed(asked, deps.backends)
    const backend = requireBackend(deps.backends, spec)
    const aside: string[] = []
    const atGit = backend.mountsLinks === true ? moveConfigsAside(registry, aside) : undefined
    const { home } = deps
    const authority = spec.posture === 'L0' || home !== undefined ? null : authorityOf(spec.egress, spec.credentials ?? [])
    const certificate = home?.certificate ?? authority?.certificate ?? null
    const plan = async (): Promise<ReturnType<typeof planFor> & Required<Pick<CellStart, 'directories'>>> => {
      try {
        const shared = await searchShared(spec, treesOf(spec))
        const find = (): ReturnType<typeof planFor> => planFor(spec, deps.machine, () => inertPathsIn(registry), certificate, atGit)
        const first = find()
        refuseLinkedHome(first.planned)
        refuseTrifecta(first.planned, rule, spec.trifecta, consent)
        const copied = await shared.own(first.planned, { stateDirectory: deps.stateDirectory, audit: deps.audit, signal })
        // That may have taken long.
        const found = copied === null ? first : find()
        if (found !== first) refuseTrifecta(found.planned, rule, spec.trifecta, consent)
        const more = [...notices, ...(copied === null ? [] : [copied])]
        const made = { ...found, planned: { ...found.planned, notices: [...found.planned.notices, ...more] } }
        deps.onPlan?.(made.planned)
        return { ...made, directories: await shared.directories() }
      } catch (error) {
        registry.alone(() => returnConfigs(registry, { aside }))
        throw error
      }
    }
    const { planned, trees, directories } = await plan()
    const id = randomBytes(6).toString('hex')
    await home?.planned(id, planned)
    // A cell without a network does not load the gateway.
    const denied = new DeniedLog()
    const onDenied: OnDenied = (each) => denied.add(each)
    const gateway = async (): Promise<EgressGateway> => {
      if (planned.egress.mode === 'off' || planned.posture === 'L0') return noGateway(id, planned.egress.mode, deps.audit)
      const { forwardingGateway, gatewayFor } = await import('./gateway-for.ts')
      if (home !== undefined) return forwardingGateway(deps, id, planned, home, onDenied)
      return gatewayFor(deps, id, planned, spec.credentials ?? [], authority, { onDenied, onModelCall: io.onModelCall })
    }
    const launch = new Launch(
      { ...deps, backend },
      registry,
      { ...spec, egress: planned.egress },
      planned,
      { trees, directories },
      { gateway: await gateway(), denied },
      id,
    )
    return launch.start(io, signal, writableIn(planned, spec.project))
  }
  return async (spec, io, signal) => {
    signal?.throwIfAborted()
    await sweep(registry, deps.backends, deps)
    const allowed = await trifectaOf(spec, deps, () => inertPathsIn(registry))
    if (!canDoWithout(spec, io)) return startWith(spec, io, signal, allowed)
    const other = withoutHome(spec)
    if (isHomeTaken(spec, registry)) return startWith(other.spec, io, signal, allowed, other.notices)
    try {
      return await startWith(spec, io, signal, allowed)
    } catch (error) {
      if (isHomeBusy(error)) return startWith(other.spec, io, signal, allowed, other.notices)
      throw error
    }
  }
}

/** Returns the rule about the lethal trifecta, and the consent of the user, who is asked before anything on the host is changed. */
async function trifectaOf(
  asked: CellSpec,
  { trifecta, backends, machine }: Pick<LaunchDeps, 'trifecta' | 'backends' | 'machine'>,
  inertPaths: () => ReadonlySet<string>,
): Promise<{ readonly rule: OriginedRule; readonly consent: TrifectaConsent | null }> {
  const rule = await ruleFor(asked.trifecta, trifecta)
  if (rule.rule !== 'ask' || trifecta?.ask === undefined) return { rule, consent: null }
  const { planned } = planFor(placed(asked, backends), machine, inertPaths, null)
  const consent = await askAboutTrifecta(planned, rule, asked.trifecta, trifecta)
  // The user may have made it stricter while the question was open.
  return { rule: await ruleFor(asked.trifecta, trifecta), consent }
}

/** Returns the directories of the host that a cell can write to, and the project whose copy it works on. */
function writableIn({ filesystem }: CellPlan, project: string | undefined): readonly string[] {
  const binds = filesystem.flatMap((each) => (each.kind === 'bind' && each.access === 'rw' ? [each.source] : []))
  return project === undefined ? binds : [project, ...binds]
}

class Launch {
  readonly #deps: LaunchDeps & { readonly backend: Backend }
  readonly #links: string
  readonly #registry: CellRegistry
  readonly #spec: CellSpec
  readonly #plan: CellPlan
  readonly #hash: string
  readonly #id: string
  readonly #startedAt = Date.now()
  readonly #gateway: EgressGateway
  readonly #denied: DeniedLog
  /** Read-only paths in the cell that existed before it started. */
  readonly #protected: readonly string[]
  /** The state of the trees before the cell starts, which is only used for the report. */
  readonly #before: Pick<CellStart, 'git' | 'directories'> & { readonly listings: ReadonlyMap<string, Listing> }
  readonly #held: readonly HeldRepository[]
  readonly #configViews: readonly ConfigView[]
  #record: CellRecord
  /** Notes about the start for the user. */
  #notes: readonly string[] = []
  #endSurvivor = (): void => undefined

  constructor(
    deps: LaunchDeps & { readonly backend: Backend },
    registry: CellRegistry,
    spec: CellSpec,
    planned: CellPlan,
    { trees, directories }: { readonly trees: readonly ProjectFacts[]; readonly directories: readonly string[] },
    { gateway, denied }: { readonly gateway: EgressGateway; readonly denied: DeniedLog },
    id: string,
  ) {
    this.#deps = deps
    this.#registry = registry
    this.#spec = spec
    this.#plan = planned
    this.#hash = planHash(planned)
    this.#gateway = gateway
    this.#denied = denied
    this.#id = id
    this.#protected = trees.flatMap((each) => each.present)
    this.#held = trees.flatMap((each) => each.held ?? [])
    this.#configViews = trees.flatMap((each) => each.configViews ?? [])
    const others = (): readonly CellRecord[] => registry.all()
    this.#links = path.join(deps.stateDirectory, 'work-tree-links')
    this.#record = newRecord(this.#id, this.#startedAt, planned, trees, deps.stateDirectory, deps.machine, others)
    this.#before = {
      listings: new Map(trees.flatMap(({ path: root, listed }) => (listed === undefined ? [] : [[root, new Listing(root, listed)]]))),
      git: gitBefore(trees.flatMap((each) => each.workTrees ?? [])),
      directories,
    }
  }

  /** `writable`: the directories of the host that the cell, or what is applied from it, can change. */
  async start(io: CellIo, signal: AbortSignal | undefined, writable: readonly string[]): Promise<Cell> {
    const { audit, graceMs } = this.#deps
    audit(launchEvent({ id: this.#id, spec: this.#spec, plan: this.#plan, planHash: this.#hash }, io))
    for (const each of this.#before.listings.values()) await each.readContents()
    const cell = await this.#build(io, signal, writable)
    this.#denied.open(cell)
    this.#gateway.checkNames()
    const identifying = new AbortController()
    const stopping = new Stopping(cell, this.#id, audit, graceMs ?? 5000)
    const stop = (reason: StopReason): void => stopping.stop(reason)
    const onAbort = (): void => stop('cancelled')
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    const ends = [
      watch(this.#plan, this.#record.runDirectory, cell, this.#startedAt, stop),
      this.#keepProtected(cell, (file) => stopping.endUnprotected(file)),
      watchHeld(this.#record.held ?? [], this.#record.runDirectory),
    ]
    for (const each of this.#before.listings.values()) void each.identify(identifying.signal)
    if (!this.#plan.terminal) ends.push(keepOutput([cell.stdout, cell.stderr], this.#record.runDirectory))
    const unwatch = (): void => {
      identifying.abort()
      for (const each of ends) each()
    }
    const done = this.#finish(cell, stopping).finally(() => signal?.removeEventListener('abort', onAbort))
    cell.exited.then(unwatch, unwatch)
    return {
      id: this.#id,
      notes: this.#notes,
      stdin: cell.stdin,
      stdout: cell.stdout,
      stderr: cell.stderr,
      done,
      stop,
      interrupt: cell.interrupt,
      kill: () => stopping.kill(),
      isStopped: cell.isStopped,
      freeze: cell.freeze,
      goOn: cell.goOn,
      resize: cell.resize,
      connectInside: cell.connectInside,
    }
  }

  /** Lets the backend build the cell. If that fails, removes everything. */
  async #build(io: CellIo, signal: AbortSignal | undefined, writable: readonly string[]): Promise<BackendCell> {
    const remember = (more: Partial<CellRecord>): void => this.#remember(more)
    try {
      const host = await hostIdentity()
      await recordAside(this.#registry, { ...this.#record, host }, this.#configViews, remember)
      const { machine, audit } = this.#deps
      const means = { registry: this.#registry, id: this.#id, homeData: machine.homeData, audit, remember, onWait: io.onWait, signal }
      this.#notes = await takeHome(this.#spec, means)
      noteWritableTrees(this.#deps.stateDirectory, writable)
      mkdirSync(this.#record.runDirectory, { recursive: true, mode: 0o700 })
      await refreshHeld(this.#held)
      makeViews(this.#record.workTrees ?? [], this.#links)
      makeConfigViews(this.#record.configs ?? [])
      const { survivor } = this.#deps
      if (survivor !== undefined && (this.#record.held ?? []).some((each) => each.clean.length > 0))
        this.#endSurvivor = startSurvivor(survivor)
      const { backend } = this.#deps
      const descriptor = backend.passesDescriptors === false ? inputDescriptorOf(io) : null
      const cell = await backend.start({
        id: this.#id,
        plan: this.#plan,
        io: descriptor === null ? io : { ...io, stdin: 'pipe' },
        runDirectory: this.#record.runDirectory,
        gateway: this.#gateway,
        remember: (traces) => remember({ traces }),
        place: (inertPaths, make) => placeInert(this.#registry, this.#record, remember, inertPaths, make),
      })
      if (descriptor === null || cell.stdin === null) return cell
      pumpInput(descriptor, cell.stdin, cell.exited)
      return { ...cell, stdin: null }
    } catch (error) {
      await this.#gateway.close()
      settleViews(this.#record.workTrees ?? [], this.#spares(), null)
      await takeConfigViews(this.#record.configs ?? [])
      forget(this.#registry, this.#record)
      this.#endSurvivor()
      this.#deps.audit({ kind: 'cell.end', cell: this.#id, data: { ending: 'start-failed', message: messageOf(error) } })
      if (error instanceof PaddockError) throw error
      const full = noRoom(error, this.#deps.stateDirectory, this.#plan.trees)
      if (full !== null) throw full
      throw new PaddockError('CELL_FAILED', `The cell could not be started: ${messageOf(error)}`, { cause: error })
    }
  }

  #remember(more: Partial<CellRecord>): void {
    this.#record = { ...this.#record, ...more }
    this.#registry.write(this.#id, more)
  }

  /** Keeps the protected paths read-only while the cell runs, or calls `lost` with the first one that is not. */
  #keepProtected(cell: BackendCell, lost: (file: string) => void): () => void {
    const mounts = keptMounts(this.#plan)
    const { audit } = this.#deps
    const marks = new Map(this.#record.gitConfigs)
    const renewed = (target: string): void => {
      audit({ kind: 'cell.remounted', cell: this.#id, data: { path: target } })
      // Every git command of the user obeys it, so it must not wait for the end of the cell if the cell may have written it.
      if (marks.has(target) && gitConfigMark(target) !== marks.get(target)) lost(target)
    }
    const end = cell.keepMounts?.(mounts, { renewed, lost })
    if (end !== undefined && mounts.length > 0) return end
    end?.()
    return watchProtected(this.#protectedEntries(), lost)
  }

  #protectedEntries(): readonly KnownEntry[] {
    const watched = new Set([...this.#protected, ...this.#record.inertPaths])
    return this.#record.known.filter(([file]) => watched.has(file))
  }

  /** Returns the directory to keep links to other work trees in; null if another cell could have their directory open. */
  #spares(): string | null {
    const { workTrees = [] } = this.#record
    return workTrees.some(({ directory }) => othersReach(this.#registry, this.#id, directory)) ? null : this.#links
  }

  #discarded({ discarded = [] }: CellRemains): Pick<ChangeSummary, 'discarded'> {
    const { project = '/' } = this.#spec
    return discarded.length === 0
      ? {}
      : { discarded: discarded.map((each) => (contains(project, each) ? path.relative(project, each) : each)) }
  }

  async #finish(cell: BackendCell, stopping: Stopping): Promise<CellReport> {
    const { code, setupError } = await cell.exited
    const endedAt = Date.now()
    // First, because an open gateway would keep this process alive, even if the rest fails.
    const [remains] = await Promise.all([cell.close(), this.#gateway.close()])
    if (this.#registry.all().some((each) => each.id === this.#id && each.stopAsked === true)) stopping.wasStopped()
    if (remains.oomKilled) stopping.limitHit('out-of-memory')
    settleViews(this.#record.workTrees ?? [], this.#spares(), (adopted) => this.#remember({ adopted }))
    removeInertEntries(this.#registry, this.#record)
    const { changes, record } = await endChanges(this.#registry, this.#record, this.#before)
    forget(this.#registry, record)
    this.#endSurvivor()
    const ended: EndedCell = {
      id: this.#id,
      spec: this.#spec,
      plan: this.#plan,
      planHash: this.#hash,
      startedAt: this.#startedAt,
      endedAt,
      stopping,
      code,
      setupError,
      remains,
      limits: cell.limits,
      egress: this.#gateway.summary(),
      changes: changes === null ? null : { ...changes, ...this.#discarded(remains) },
    }
    const report = reportOf(ended)
    this.#deps.audit(endEvent(ended, report))
    return report
  }
}

import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import type { WayOut } from '../../egress/upstream/way-out.ts'
import type { CellPlan } from './plan.ts'

/** What the way out of the machine means for one cell. */
interface PlannedWayOut {
  /** Null: connections are direct, and the cell trusts only what the system trusts. */
  readonly way: NonNullable<CellPlan['wayOut']> | null
  /** The added certificates (PEM). */
  readonly certificates: readonly string[]
  readonly notices: readonly string[]
}

/**
 * Returns the way out of a cell. A cell without a network needs none.
 * @throws PaddockError BAD_INPUT for certificates of the configuration that cannot be read
 */
export function planWayOut({ mode }: EgressPolicy, out: Pick<WayOut, 'settings' | 'added'> | undefined): PlannedWayOut {
  const settings = out?.settings ?? null
  if (settings === null || out === undefined || mode === 'off') return { way: null, certificates: [], notices: [] }
  const { certificates, files, problems } = out.added()
  const { proxy, noProxy } = settings
  const isDirect = proxy !== null && mode !== 'allowlist'
  const notices = [
    ...settings.unused,
    ...problems,
    ...(isDirect ? [`--egress ${mode} connects directly; only hosts that are named go through the proxy ${proxy.value.shown}`] : []),
  ]
  const way = {
    ...(proxy === null ? {} : { proxy: { url: proxy.value.shown, from: proxy.place, except: noProxy.text, exceptFrom: noProxy.place } }),
    ...(files.length === 0 ? {} : { certificates: files.map(({ file, place, count }) => ({ file, from: place, count })) }),
  }
  return { way: Object.keys(way).length === 0 ? null : way, certificates, notices }
}

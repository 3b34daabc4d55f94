import { PaddockError } from './errors.ts'
import { defaultPosture, type Posture } from './posture.ts'

/**
 * The names by which a user can ask for a backend. `auto`: the first one of this machine that builds cells of the isolation level. `none`: the
 * bare host.
 */
export const backendNames = ['auto', 'bubblewrap', 'seatbelt', 'none'] as const

export type BackendName = (typeof backendNames)[number]

/** Where a cell runs, as its spec names it. */
export interface CellPlace {
  /** Default: `defaultPosture`. */
  readonly posture?: Posture | undefined
  /** The name of a backend. Default: `auto`. */
  readonly backend?: string | undefined
}

/** The facts about a backend that decide which cells it builds. */
export interface BackendFacts {
  readonly name: string
  /** The isolation levels of which it can build cells. */
  readonly postures: readonly Posture[]
}

/** The backends of a machine. The first one builds its usual cells. */
export type Backends<B extends BackendFacts = BackendFacts> = readonly [B, ...B[]]

/** Returns the backend that builds such a cell; undefined if there is none. Nothing falls back to a lower level by itself. */
export function backendFor<B extends BackendFacts>(
  backends: Backends<B>,
  { posture = defaultPosture, backend = 'auto' }: CellPlace,
): B | undefined {
  return backends.find(({ name, postures }) => (backend === 'auto' || backend === name) && postures.includes(posture))
}

/** Returns the isolation levels of the cells that a backend builds; with `auto`, those that any of them builds. */
export function posturesOf(backends: Backends, backend = 'auto'): readonly Posture[] {
  return [...new Set(backends.flatMap(({ name, postures }) => (backend === 'auto' || backend === name ? postures : [])))]
}

/** The options or keys that set the parts of a place, with their values. Default: the options of `paddock run`. */
export interface PlaceOrigins {
  readonly posture?: string | null | undefined
  readonly backend?: string | null | undefined
}

/** The systems on which a backend builds cells. */
const systems: Readonly<Record<string, string>> = { bubblewrap: 'Linux', seatbelt: 'macOS' }

/** Returns the backend that builds such a cell. @throws PaddockError UNENFORCEABLE if no backend does */
export function requireBackend<B extends BackendFacts>(backends: Backends<B>, place: CellPlace, origins: PlaceOrigins = {}): B {
  const found = backendFor(backends, place)
  if (found !== undefined) return found
  const { posture = defaultPosture, backend = 'auto' } = place
  if (posture === 'L0') throw onlyRun(origins.posture ?? undefined)
  // Without the bare host, which builds no cells.
  const hint = `Use one of: ${['auto', ...backends.flatMap(({ name, postures }) => (postures.includes('L0') ? [] : [name]))].join(', ')}`
  if (backend === 'none') throw onlyRun(origins.backend ?? '--backend none', hint)
  if (backend !== 'auto' && backends.every(({ name }) => name !== backend)) {
    const system = systems[backend]
    const why = system === undefined ? 'this machine has no such backend' : `it builds cells only on ${system}`
    throw new PaddockError('UNENFORCEABLE', `${origins.backend ?? `--backend ${backend}`}: ${why}.`, { hint })
  }
  const builder = backend === 'auto' ? backends[0].name : backend
  throw new PaddockError(
    'UNENFORCEABLE',
    `${origins.posture ?? `--posture ${posture}`}: ${builder} builds no cells of that isolation level here.`,
    {
      hint: `Use one of: ${posturesOf(backends, backend)
        .filter((each) => each !== 'L0')
        .join(', ')}`,
    },
  )
}

/** Returns the backends that build cells, without that of the bare host. */
export function withoutBareHost<B extends BackendFacts>(backends: Backends<B>): Backends<B> {
  const [first, ...others] = backends
  return [first, ...others.filter(({ postures }) => !postures.includes('L0'))]
}

/** Returns the error for anything but a run of the user's own that names L0. `place`: the option or key that names it. */
export function onlyRun(place = '--posture L0', hint = 'Use L1 or L2'): PaddockError {
  return new PaddockError('NOT_ALLOWED', `${place}: only paddock run --posture L0 --i-know can use the bare host.`, {
    hint,
  })
}

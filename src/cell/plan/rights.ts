import { createHash } from 'node:crypto'
import type { AllowEntry, EgressPolicy } from '../../egress/policy/egress-policy.ts'
import { matchesPattern } from '../../egress/policy/host-pattern.ts'
import type { CellSpec } from './spec.ts'

/** The access of a cell beyond its own home, for comparisons with other cells. */
export interface Rights {
  /** Each right as a short text, sorted. */
  readonly may: readonly string[]
  /** Limits that take something away: masks, and address ranges that are rejected. Sorted. */
  readonly without: readonly string[]
}

/** The rights of an unknown writer. They cover nothing. */
export const noRights: Rights = { may: [], without: ['*'] }

/** Returns the rights of a cell with these wishes. Its environment and the versions of its programs do not count. */
export function rightsOf(spec: CellSpec): Rights {
  const { egress, project, projectCopy, mounts, credentials = [], publish = [], degraded, masks = [], rights = [] } = spec
  if ('may' in rights) return rights
  const given = [
    ...networkRights(egress),
    ...(project === undefined || projectCopy !== undefined ? [] : [`write ${project}`]),
    ...mounts
      .filter(({ reason = 'user' }) => reason === 'user')
      .map(({ source, access }) => `${access === 'rw' ? 'write' : 'read'} ${source}`),
    ...credentials.map(({ name, hosts, places }) => `credential ${name} ${hash([hosts, places])}`),
    ...publish.map((each) => `publish ${each}`),
    ...degraded.map((each) => `degraded ${each}`),
    ...rights,
  ]
  const blocked = egress.mode === 'public' ? egress.blocked.map((each) => `range ${each}`) : []
  return { may: sorted(given), without: sorted([...masks.map(({ source }) => `mask ${source}`), ...blocked]) }
}

/** Returns true if a cell with the rights `wide` may do everything that one with the rights `narrow` may do. */
export function covers(wide: Rights, narrow: Rights): boolean {
  const own = new Set(wide.may)
  const includes = (right: string): boolean => own.has(right) || wide.may.some((each) => includesRight(each, right))
  return wide.without.every((each) => narrow.without.includes(each)) && narrow.may.every(includes)
}

/** Returns an identifier of a set of rights. */
export function idOfRights(rights: Rights): string {
  return hash(rights)
}

function networkRights(egress: EgressPolicy): readonly string[] {
  if (egress.mode === 'off') return []
  const mode = { allowlist: [], public: ['network public'], open: ['network public', 'network open'] }[egress.mode]
  // Entries of Paddock itself lead to a server of the job, at another port each time.
  return [...mode, ...egress.entries.filter(({ source }) => source !== 'paddock').flatMap(entryRights)]
}

/** A right at a host has the form `KIND HOST:PORT`, with details of rules or of the real destination after it. */
function entryRights({ host, ports, internal, pin, endpoint, ask, inspect }: AllowEntry): readonly string[] {
  const ruled = inspect !== undefined && (inspect.rules.length > 0 || inspect.otherwise !== 'allow')
  const kind = pin !== undefined || endpoint !== undefined || internal ? 'special' : ask === true ? 'ask' : ruled ? 'ruled' : 'host'
  const details = kind === 'host' ? '' : ` ${hash([internal, pin ?? null, endpoint ?? null, ask === true, ruled ? inspect : null])}`
  return ports.map((port) => `${kind} ${host}:${port}${details}`)
}

function includesRight(wide: string, narrow: string): boolean {
  const [wideKind, wideName = ''] = wide.split(' ')
  const [kind = '', name = ''] = narrow.split(' ')
  if (wideKind === 'write' && kind === 'read') return wide.slice('write '.length) === narrow.slice('read '.length)
  if (wideKind === 'network') return (wideName === 'public' || wideName === 'open') && ['host', 'ask', 'ruled'].includes(kind)
  if (wideKind !== 'host' || !['host', 'ask', 'ruled'].includes(kind)) return false
  const [wideHost = '', widePort] = split(wideName)
  const [host = '', port] = split(name)
  return widePort === port && (wideHost === host || matchesPattern(wideHost, host))
}

function split(name: string): readonly string[] {
  const at = name.lastIndexOf(':')
  return [name.slice(0, at), name.slice(at + 1)]
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

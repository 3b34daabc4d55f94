import type { AuditLine } from '../audit/line.ts'
import type { VerifiedLog } from '../audit/verified-lines.ts'
import type { AttestedCell, Subject } from './statement-schema.ts'

/** Facts about the cells of one piece of work, in the order in which they started. */
export interface CellsOfWork {
  readonly cells: readonly AttestedCell[]
  /** Cells whose start is not in the log. */
  readonly missing: number
  /** The newest line about the cells; null if there is none. */
  readonly last: AuditLine | null
}

const kinds = 'cell.launch,cell.end,egress.allow,egress.unwritten'

/** Collects what a log says about cells, given by their whole ids. */
export function cellsOfWork(log: VerifiedLog, ids: readonly string[]): CellsOfWork {
  const wanted = new Set(ids)
  const found = new Map<string, { facts: AttestedCell; readonly hosts: Set<string> }>()
  let last: AuditLine | null = null
  if (wanted.size > 0)
    for (const { line } of log.lines({ kind: kinds })) {
      const { cell = '' } = line
      if (!wanted.has(cell)) continue
      last = line
      const known = found.get(cell)
      if (line.kind === 'cell.launch') found.set(cell, { facts: started(cell, line), hosts: new Set() })
      else if (known === undefined) continue
      else if (line.kind === 'egress.allow') known.hosts.add(`${textOf(line, 'host') ?? ''}:${String(line.data['port'] ?? '')}`)
      else if (line.kind === 'egress.unwritten') known.facts = { ...known.facts, hostsComplete: false }
      else known.facts = { ...known.facts, ...ended(line) }
    }
  const cells = [...found.values()].map(({ facts, hosts }) => ({ ...facts, hostsReached: [...hosts].sort() }))
  return { cells, missing: wanted.size - cells.length, last }
}

function started(cell: string, line: AuditLine): AttestedCell {
  const agent = textOf(line, 'agent')
  const prompt = textOf(line, 'prompt')
  const egress = textOf(line, 'egress') ?? ''
  const degraded = line.data['degraded']
  return {
    cell,
    name: textOf(line, 'name') ?? '',
    startedAt: line.time,
    endedAt: null,
    ending: null,
    exitCode: null,
    agent: agent === null ? null : { name: agent, version: textOf(line, 'version') },
    model: textOf(line, 'model'),
    prompt: prompt === null ? null : { sha256: prompt },
    plan: { sha256: textOf(line, 'plan') ?? '' },
    posture: textOf(line, 'posture') ?? '',
    backend: textOf(line, 'backend') ?? '',
    egress,
    degraded: Array.isArray(degraded) ? degraded.map(String) : [],
    hostsReached: [],
    // Under public and open, a connection to an address does not pass the gateway.
    hostsComplete: egress === 'off' || egress === 'allowlist',
    project: textOf(line, 'project'),
    base: commitOf(line),
    commit: null,
  }
}

function ended(line: AuditLine): Pick<AttestedCell, 'endedAt' | 'ending' | 'exitCode' | 'commit'> {
  const code = line.data['code']
  return { endedAt: line.time, ending: textOf(line, 'ending'), exitCode: typeof code === 'number' ? code : null, commit: commitOf(line) }
}

/** Returns a text in the data of a line; null if it is missing. */
export function textOf({ data }: AuditLine, name: string): string | null {
  const value = data[name]
  return typeof value === 'string' ? value : null
}

/** Returns the commit in the data of a line, as a digest. `name`: of the member. */
export function commitOf(line: AuditLine, name = 'commit'): { readonly gitCommit: string } | null {
  const commit = textOf(line, name)
  return commit === null ? null : { gitCommit: commit }
}

/** Returns the commits that cells made as subjects; if there are none, the newest line about them in the log. */
export function subjectsOf({ cells, last }: CellsOfWork): readonly Subject[] {
  const commits = [...new Set(cells.flatMap(({ commit }) => commit?.gitCommit ?? []))]
  if (commits.length > 0) return commits.map((each) => ({ name: 'git', digest: { gitCommit: each } }))
  return last === null ? [] : [{ name: `audit.jsonl#${last.seq}`, digest: { sha256: last.hash } }]
}

import { type BackendLook, type Check, failedCheck } from '../../cell/backend-facts.ts'
import type { StartCell } from '../../cell/cell.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'

/** The common part of the specs of cells that see no private data. */
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

const script = [
  'test "$(id -u)" != 0',
  '! test -e /proc/1/root/etc/shadow',
  'grep -q "^CapEff:.0*$" /proc/self/status',
  'getent hosts probe.paddock.test',
].join(' && ')

/** Tests a real cell with an allowlist, which needs every part: listeners, gateway, mounts, limits. */
export function tryCell(startCell: StartCell): Promise<Check> {
  return tried('cell', startCell, {
    ...bare,
    command: ['/bin/sh', '-c', script],
    egress: { mode: 'allowlist', entries: [{ host: 'probe.paddock.test', ports: [443], internal: false, source: 'doctor' }] },
    limits: { timeout: 30_000, silence: 30_000 },
  })
}

/** Returns a check for each group of egress modes. A real network is tested with a real cell and its packet filter. Nothing is sent. */
export function egressChecks(found: BackendLook['egress'], cellWorks: boolean, startCell: StartCell): Promise<Check[]> {
  return Promise.all(
    found.map(async ({ modes, ...each }): Promise<Check> => {
      const name = `egress ${modes.join(', ')}`
      if (!each.ok) return { name, ...each }
      if (!cellWorks) return { name, ok: false, detail: 'needs working cells' }
      if (!modes.includes('public')) return { name, ...each }
      const egress = { mode: 'public', entries: [], blocked: [] } as const
      const cell = await tried(name, startCell, { ...bare, command: ['true'], egress, limits: { timeout: 20_000 } })
      return cell.ok ? { name, ...each } : cell
    }),
  )
}

/** Starts a cell of this kind and waits for its end. Rejects if this machine cannot build it. */
export async function requireCells(startCell: StartCell, place: Pick<CellSpec, 'posture' | 'backend'>): Promise<void> {
  const spec: CellSpec = { ...bare, ...place, command: ['true'], egress: { mode: 'off' }, limits: { timeout: 30_000 } }
  const cell = await startCell(spec, { stdin: 'none' })
  for (const each of [cell.stdout, cell.stderr]) each.resume()
  await cell.done
}

async function tried(name: string, startCell: StartCell, spec: CellSpec): Promise<Check> {
  try {
    const cell = await startCell(spec, { stdin: 'none' })
    cell.stdout.resume()
    let said = ''
    for await (const chunk of cell.stderr) said += String(chunk)
    const { ending, durationMs } = await cell.done
    if (ending.kind === 'exited' && ending.code === 0)
      return { name, ok: true, detail: `a real cell started and ended in ${durationMs} ms` }
    return { name, ok: false, detail: `a real cell ended with ${JSON.stringify(ending)} ${said.trim()}` }
  } catch (error) {
    return { name, ok: false, ...failedCheck(error) }
  }
}

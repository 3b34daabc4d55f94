import { release } from 'node:os'
import { searchDirectories } from '../../adapters/agent-facts.ts'
import { vendorAdapters } from '../../adapters/find-adapter.ts'
import { posturesOf } from '../../base/cell-place.ts'
import type { Remedy } from '../../base/fixable-error.ts'
import { defaultPosture, postureMeaning } from '../../base/posture.ts'
import type { Check } from '../../cell/backend-facts.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import type { Host } from '../../host.ts'
import { askedAgent } from '../../run/run-asks.ts'
import { telemetry } from '../../telemetry/current-telemetry.ts'
import { version } from '../version.ts'
import { egressChecks, tryCell } from './doctor-cells.ts'
import { gitCheck } from './doctor-git.ts'
import { fileSystemChecks } from './doctor-mounts.ts'
import { presetChecks } from './doctor-presets.ts'
import { programChecks } from './doctor-programs.ts'

/** The findings of `paddock doctor`, with the changes of this machine that would fix the problems. */
export interface Diagnosis {
  readonly data: Capabilities
  readonly remedies: readonly Remedy[]
}

/**
 * Finds out what this machine can enforce, by starting a real cell with the real flags. `presets`: whether names are looked up, and
 * connections made.
 */
export async function diagnose(host: Host, presets: 'none' | 'look up' | 'connect'): Promise<Diagnosis> {
  // Names are looked up while cells are tested, so that a slow resolver delays nothing.
  const ofPresets = presets === 'none' ? [] : presetChecks(host, presets === 'connect')
  const found = await host.backends[0].look()
  const cell = await tryCell(host.startCell)
  const egress = await egressChecks(found.egress, cell.ok, host.startCell)
  const checks: readonly Check[] = [
    ...libraryChecks(),
    ...found.checks,
    cell,
    ...egress,
    { name: 'terminal', ok: found.terminal, detail: found.terminal ? 'a cell can have one of its own' : 'a cell cannot have one' },
    { name: 'published ports', ok: found.publish, detail: found.publish ? 'by --publish' : 'ports of a cell cannot be published' },
    ...(await ofPresets),
    ...(await gitCheck(host.env)),
    pathCheck(host.machine.system.notInCell ?? []),
    ...telemetryChecks(),
    ...fileSystemChecks(host.paths),
    ...programChecks(host.env['PATH'] ?? ''),
  ]
  return {
    data: {
      schemaVersion: 1,
      version,
      ok: cell.ok,
      system: `${process.platform} ${release()} ${process.arch}, Node ${process.versions.node}, ${host.machine.user.uid === 0 ? 'root' : `user ${host.machine.user.name}`}`,
      posture: defaultPosture,
      postures: [...posturesOf(host.backends)],
      backends: host.backends.map(({ name, postures }) => ({ name, postures: [...postures] })),
      checks: checks.map(withoutRemedies),
      egress: found.egress.map(({ modes }, index) => ({
        ...withoutRemedies(egress[index] ?? { ok: false, detail: 'not tried' }),
        modes: [...modes],
      })),
      limits: [...found.limits],
      agents: await agentList(host),
    },
    remedies: checks.flatMap((each) => each.remedies ?? []),
  }
}

function withoutRemedies<T extends Partial<Check>>({ remedies: _, ...check }: T): Omit<T, 'remedies'> {
  return check
}

/** Returns a failed check if this Node was built for musl, as on Alpine: what Paddock needs of it was tested only with glibc. */
function libraryChecks(): readonly Check[] {
  if (process.platform !== 'linux') return []
  // The report would look up the names of open connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
  if (header.glibcVersionRuntime !== undefined) return []
  const hint = 'Run Paddock on a system with glibc, such as Debian, Ubuntu, Fedora or Arch, or in a container of one'
  return [{ name: 'C library', ok: false, detail: 'this is musl (Alpine), and Paddock needs glibc', hint }]
}

function pathCheck(missing: readonly string[]): Check {
  if (missing.length === 0) return { name: 'PATH', ok: true, detail: 'cells have all of its directories' }
  return {
    name: 'PATH',
    ok: true,
    detail: `cells do not have ${missing.join(', ')}`,
    hint: 'Show one to a cell with --ro, or to all with run.ro in config.yaml',
  }
}

/** Returns where traces and metrics go, and how to stop that; nothing if they go nowhere. */
function telemetryChecks(): readonly Check[] {
  const settings = telemetry()?.settings
  if (settings === undefined) return []
  const { endpoint, content } = settings
  return [
    {
      name: 'telemetry',
      ok: true,
      detail: `goes to ${endpoint.value} (${endpoint.place}), ${content ? 'with' : 'without'} the content of tools`,
      hint: 'To send nothing, write in config.yaml: telemetry: { otlp: { endpoint: none } }',
    },
  ]
}

async function agentList(host: Host): Promise<Capabilities['agents']> {
  const search = searchDirectories(host.env['PATH'] ?? '', host.paths.userHome)
  const found = vendorAdapters.map(async (each) => {
    const installation = await each.locate(search)
    return {
      name: each.name,
      installed: installation !== null,
      version: installation?.version ?? null,
      tried: each.tried,
      reports: each.reports,
      usesMcp: each.usesMcp === true,
      loginVariables: askedAgent(each).loginVariables?.slice() ?? null,
      webTool: each.webTool ?? null,
      hint: each.installHint,
    }
  })
  return Promise.all(found)
}

/** Returns the findings for people. */
export function diagnosisLines(diagnosis: Capabilities): readonly string[] {
  const item = (name: string, text: string): string => `   ${name.padEnd(22)} ${text}`
  return [
    `paddock ${diagnosis.version} on ${diagnosis.system}`,
    '',
    ...diagnosis.checks.flatMap(({ name, ok, detail, hint }) => [
      `${ok ? 'ok ' : 'no '} ${name.padEnd(22)} ${detail}`,
      ...(hint === undefined ? [] : [item('', `→ ${hint}`)]),
    ]),
    ...(diagnosis.limits.length === 0 ? [] : ['', 'limits, as this machine enforces them']),
    ...diagnosis.limits.map(({ limit, mechanism, gap }) => item(limit, `${mechanism}${gap === undefined ? '' : ` (${gap})`}`)),
    '',
    'agents',
    ...diagnosis.agents.map((each) => item(each.name, agentText(each))),
    '',
    'isolation levels',
    ...Object.entries(postureMeaning).map(([posture, meaning]) => `   ${posture}  ${meaning}${hereText(posture, diagnosis)}`),
    '',
    ...(diagnosis.ok && diagnosis.checks.some(({ ok, hint }) => ok && hint !== undefined) ? ['Hints after an arrow are optional.'] : []),
    diagnosis.ok
      ? 'Cells work here.'
      : 'Cells do not work here; the lines marked "no" say why. To see the commands that install what is missing: paddock doctor --fix',
  ]
}

function hereText(posture: string, { postures, ok }: Pick<Capabilities, 'postures' | 'ok'>): string {
  if (posture === 'L0') return '  (only by paddock run --posture L0 --i-know)'
  return ok && postures.includes(posture) ? `  ← cells on this machine${posture === defaultPosture ? ', by default' : ''}` : ''
}

function agentText({ installed, version: found, tried, hint }: Capabilities['agents'][number]): string {
  if (!installed) return `not installed → ${hint}`
  return found === null ? 'installed' : `installed, ${found}${tried ? '' : ' (its adapter has not been run with the real CLI)'}`
}

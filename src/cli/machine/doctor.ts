import { release } from 'node:os'
import { searchDirectories } from '../../adapters/agent-facts.ts'
import { vendorAdapters } from '../../adapters/find-adapter.ts'
import { exitCodes } from '../../base/errors.ts'
import { type Posture, postureMeaning } from '../../cell/plan/posture.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import type { Host } from '../../host.ts'
import { askedAgent } from '../../run/run-asks.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { version } from '../version.ts'
import { egressChecks, tryCell } from './doctor-cells.ts'
import { gitCheck } from './doctor-git.ts'
import { presetChecks } from './doctor-presets.ts'
import { programChecks } from './doctor-programs.ts'

/** `paddock doctor`: reports what this machine can enforce, by starting a real cell with the real flags. */
export async function doctorCommand(options: { readonly connect?: boolean }): Promise<Answer<Result<'doctor'>>> {
  const host = openCliHost()
  try {
    // Names are looked up while cells are tested, so that a slow resolver delays nothing.
    const presets = presetChecks(host, options.connect === true)
    const found = await host.backend.look()
    const cell = await tryCell(host.startCell)
    const egress = await egressChecks(found.egress, cell.ok, host.startCell)
    const checks = [
      ...found.checks,
      cell,
      ...egress,
      { name: 'terminal', ok: found.terminal, detail: found.terminal ? 'a cell can have one of its own' : 'a cell cannot have one' },
      { name: 'published ports', ok: found.publish, detail: found.publish ? 'by --publish' : 'ports of a cell cannot be published' },
      ...(await presets),
      ...(await gitCheck(host.env)),
      pathCheck(host.machine.notInCell ?? []),
      ...programChecks(host.env['PATH'] ?? ''),
    ]
    const diagnosis: Capabilities = {
      schemaVersion: 1,
      version,
      ok: cell.ok,
      system: `${process.platform} ${release()} ${process.arch}, Node ${process.versions.node}, ${host.machine.user.uid === 0 ? 'root' : `user ${host.machine.user.name}`}`,
      posture: host.backend.posture,
      checks,
      egress: found.egress.map(({ modes }, index) => ({ ok: false, detail: 'not tried', ...egress[index], modes: [...modes] })),
      limits: [...found.limits],
      agents: await agentList(host),
    }
    return { data: diagnosis, lines: linesOf(diagnosis, host.backend.posture), exitCode: cell.ok ? exitCodes.done : exitCodes.no }
  } finally {
    host[Symbol.dispose]()
  }
}

function pathCheck(missing: readonly string[]): Capabilities['checks'][number] {
  if (missing.length === 0) return { name: 'PATH', ok: true, detail: 'cells have all of its directories' }
  return {
    name: 'PATH',
    ok: true,
    detail: `cells do not have ${missing.join(', ')}`,
    hint: 'Show one to a cell with --ro, or to all with run.ro in config.yaml',
  }
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
      hint: each.installHint,
    }
  })
  return Promise.all(found)
}

function linesOf(diagnosis: Capabilities, here: Posture): readonly string[] {
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
    ...Object.entries(postureMeaning).map(
      ([posture, meaning]) => `   ${posture}  ${meaning}${posture === here ? '  ← cells on this machine' : ''}`,
    ),
    '',
    diagnosis.ok ? 'Cells work here.' : 'Cells do not work here; the lines marked "no" say why.',
  ]
}

function agentText({ installed, version: found, tried, hint }: Capabilities['agents'][number]): string {
  if (!installed) return `not installed → ${hint}`
  return found === null ? 'installed' : `installed, ${found}${tried ? '' : ' (its adapter has not been run with the real CLI)'}`
}

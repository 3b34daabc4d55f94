import { release } from 'node:os'
import { searchDirectories } from '../../adapters/facts.ts'
import { vendorAdapters } from '../../adapters/registry.ts'
import { type Posture, postureMeaning } from '../../cell/plan/posture.ts'
import { exitCodes } from '../../errors.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import type { Host } from '../../host.ts'
import { openCliHost } from '../open-host.ts'
import { printJson } from '../terminal/output.ts'
import { version } from '../version.ts'
import { egressChecks, tryCell } from './doctor-cells.ts'
import { gitCheck } from './doctor-git.ts'

/** What this machine can enforce. The last word has a real cell, started with the real flags. */
export async function doctorCommand(options: { readonly json?: boolean }): Promise<number> {
  const host = openCliHost()
  try {
    const found = await host.backend.look()
    const cell = await tryCell(host.startCell)
    const egress = await egressChecks(found.egress, cell.ok, host.startCell)
    const checks = [
      ...found.checks,
      cell,
      ...egress,
      { name: 'terminal', ok: found.terminal, detail: found.terminal ? 'a cell can have one of its own' : 'a cell cannot have one' },
      { name: 'published ports', ok: found.publish, detail: found.publish ? 'by --publish' : 'ports of a cell cannot be published' },
      ...(await gitCheck(host.env)),
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
    if (options.json === true) printJson(diagnosis)
    else print(diagnosis, host.backend.posture)
    return cell.ok ? exitCodes.done : exitCodes.no
  } finally {
    host[Symbol.dispose]()
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
      hint: each.installHint,
    }
  })
  return Promise.all(found)
}

function print(diagnosis: Capabilities, here: Posture): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  out(`paddock ${diagnosis.version} on ${diagnosis.system}\n`)
  for (const each of diagnosis.checks) {
    out(`${each.ok ? 'ok ' : 'no '} ${each.name.padEnd(22)} ${each.detail}`)
    if (each.hint !== undefined) out(`   ${''.padEnd(22)} → ${each.hint}`)
  }
  if (diagnosis.limits.length > 0) {
    out('\nlimits, as this machine holds them')
    for (const each of diagnosis.limits)
      out(`   ${each.limit.padEnd(22)} ${each.mechanism}${each.gap === undefined ? '' : ` (${each.gap})`}`)
  }
  out('\nagents')
  for (const each of diagnosis.agents) {
    const untried = each.tried ? '' : ' (its adapter has not been run with the real CLI)'
    out(
      `   ${each.name.padEnd(22)} ${each.installed ? `installed${each.version === null ? '' : `, ${each.version}`}${untried}` : `not installed → ${each.hint}`}`,
    )
  }
  out('\npostures')
  for (const [posture, meaning] of Object.entries(postureMeaning))
    out(`   ${posture}  ${meaning}${posture === here ? '  ← cells on this machine' : ''}`)
  out(`\n${diagnosis.ok ? 'Cells work here.' : 'Cells do not work here; the lines marked "no" say why.'}`)
}

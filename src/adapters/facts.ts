import type { AgentsOnMachine } from '../cell/plan/facts.ts'
import { type RunLaterRules, runLaterRules } from '../cell/plan/protected/run-later.ts'
import type { LoginFormat } from '../credentials/format.ts'
import { instructionRules } from './instruction-files.ts'
import { searchPath } from './locate.ts'
import { adapters } from './registry.ts'

/*
 * What the floors below are given of the agents in the registry. They take it as data: none of them knows an agent by its name.
 */

/** How the CLIs of all agents keep their logins. */
export async function loginFormats(): Promise<readonly LoginFormat[]> {
  return Promise.all(adapters.flatMap(({ loginFormat }) => (loginFormat === undefined ? [] : [loginFormat()])))
}

/** What every cell of a machine is to know of agents. */
export const agentsOnMachine: AgentsOnMachine = {
  runLater: adapters.flatMap((each) => each.runLater ?? []),
  bundleVariables: adapters.flatMap((each) => each.bundleVariables ?? []),
  toolchains: adapters.flatMap((each) => each.installedIn?.shown ?? []),
}

/** What runs later on a host of Paddock. */
export const rulesOfHost: RunLaterRules = runLaterRules(agentsOnMachine.runLater)

/** Returns true if some agent CLI would load this by itself. `file` is relative to what is read, with `/` between the parts. */
export const isInstructionFile: (file: string) => boolean = instructionRules(adapters.map((each) => each.instructionFiles ?? {}))

/** Directories to search for an agent's program: those of PATH, then those that its installers use. Absolute ones only. */
export function searchDirectories(pathVariable: string, home: string): readonly string[] {
  const own = adapters.flatMap((each) => each.installedIn?.searched ?? [])
  return searchPath(pathVariable, home, own)
}

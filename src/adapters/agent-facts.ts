import type { AgentsOnMachine } from '../cell/plan/machine-facts.ts'
import { type RunLaterRules, runLaterRules } from '../cell/plan/protected/run-later.ts'
import type { LoginFormat } from '../credentials/format.ts'
import { adapters } from './find-adapter.ts'
import { instructionRules } from './instruction-files.ts'
import { searchPath } from './locate.ts'

/*
 * The facts about registered agents that lower floors need. They get them as data, and do not know any agent by its name.
 */

/** Returns the login formats of all agents. */
export async function loginFormats(): Promise<readonly LoginFormat[]> {
  return Promise.all(adapters.flatMap(({ loginFormat }) => (loginFormat === undefined ? [] : [loginFormat()])))
}

/** The facts about agents that every cell of a machine needs. */
export const agentsOnMachine: AgentsOnMachine = {
  runLater: adapters.flatMap((each) => each.runLater ?? []),
  bundleVariables: adapters.flatMap((each) => each.bundleVariables ?? []),
  homeData: adapters.flatMap((each) => each.homeData ?? []),
  agentDirectories: adapters.map((each) => each.stateDirectory),
  toolchains: adapters.flatMap((each) => each.installedIn?.shown ?? []),
}

/** Files that run later on a host of Paddock. */
export const rulesOfHost: RunLaterRules = runLaterRules(agentsOnMachine.runLater)

/**
 * Returns true if some agent CLI would load this file by itself. `file` is relative to the directory that is read, with `/` between names.
 */
export const isInstructionFile: (file: string) => boolean = instructionRules(adapters.map((each) => each.instructionFiles ?? {}))

/** Returns directories to search for an agent's program: those of PATH, then those of its installers. Only absolute paths are included. */
export function searchDirectories(pathVariable: string, home: string): readonly string[] {
  const own = adapters.flatMap((each) => each.installedIn?.searched ?? [])
  return searchPath(pathVariable, home, own)
}

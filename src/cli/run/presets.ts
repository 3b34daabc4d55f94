import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { AllowEntry } from '../../egress/policy/policy.ts'
import { readPresetFacts } from '../../egress/policy/preset-facts.ts'
import { isRegistryTool, type PresetFacts, presetEntries } from '../../egress/policy/presets.ts'
import type { Context } from '../context.ts'

/** The entries of presets named by the user; what they need of the tools' own configuration is read now. */
export async function presetEntriesOf(
  names: readonly string[],
  adapters: readonly AgentAdapter[],
  context: Context,
): Promise<readonly AllowEntry[]> {
  const facts = await presetFacts(names.filter(isRegistryTool), context)
  const agents = Object.fromEntries(adapters.map((each) => [each.name, each.hosts]))
  return names.flatMap((each) => presetEntries(each, facts, agents))
}

export function presetFacts(tools: readonly ('npm' | 'pypi' | 'apt')[], context: Context): Promise<PresetFacts> {
  return readPresetFacts(tools, {
    home: context.paths.userHome,
    env: context.env,
    run: async ([program = '', ...args], cwd) => (await promisify(execFile)(program, args, { cwd, timeout: 20_000 })).stdout,
  })
}

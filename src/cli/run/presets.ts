import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { AllowEntry } from '../../egress/policy/policy.ts'
import { isRegistryTool, presetEntries } from '../../egress/policy/presets.ts'
import type { Host } from '../../host.ts'

/** The entries of presets named by the user; what they need of the tools' own configuration is read now. */
export async function presetEntriesOf(
  names: readonly string[],
  adapters: readonly AgentAdapter[],
  host: Host,
): Promise<readonly AllowEntry[]> {
  const facts = await host.presets(names.filter(isRegistryTool))
  const agents = Object.fromEntries(adapters.map((each) => [each.name, each.hosts]))
  return names.flatMap((each) => presetEntries(each, facts, agents))
}

import type { components } from '../../../src/client/api.ts'

type Manifest = Pick<components['schemas']['Agent']['manifest'], 'workspace'>

/** Returns the directories to choose a project from: those in which agents work already, then those that the configuration lists. */
export function projectsOf(manifests: readonly Manifest[], listed: readonly string[]): readonly string[] {
  const used = manifests.flatMap(({ workspace = 'own' }) => (typeof workspace === 'string' ? [] : Object.values(workspace)))
  return [...new Set([...used.sort(), ...listed])]
}

import type { components } from '../../../src/client/api.ts'

type Manifest = components['schemas']['Agent']['manifest']
/** How the jobs of an agent get at its model: with the login of its CLI on this machine, or without it. `may`: with it if there is one. */
export type LoginUse = 'must' | 'may' | 'never'

/**
 * Returns whether the jobs of an agent use the login of its CLI. `loginVariables`: the variables that give the CLI a key of its own; null if
 * it has no login.
 */
export function loginUse(manifest: Manifest, loginVariables: readonly string[] | null): LoginUse {
  const { kind, credentials = 'placeholder', baseUrl, env = [], secrets = [] } = manifest
  if (kind === 'model' || loginVariables === null || credentials === 'none') return 'never'
  // A login in a volume is not the one on this machine.
  if (credentials.startsWith('volume:')) return 'never'
  const given = new Set([...env, ...secrets].map((each) => each.split('=', 1)[0] ?? ''))
  if (loginVariables.some((each) => given.has(each))) return 'never'
  return baseUrl === undefined ? 'must' : 'may'
}

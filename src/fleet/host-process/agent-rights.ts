import type { Rights } from '../../cell/plan/rights.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import { manifestRequest } from '../manifest/request-of-manifest.ts'

/**
 * Returns the rights of the cells of an agent: those of its manifest, and for a job or terminal of an owner one more. A terminal has the same
 * rights as a job, whatever runs in it, so that both can use one home at the same time.
 */
export function agentRights(manifest: Manifest, byOwner: boolean): Rights {
  const { egress, credentials, login, baseUrl, secrets, repositories, env, mounts, masks, publish, degraded } = manifestRequest(manifest)
  const { policy, private: isPrivate, allow, ask, block, presets, inspect, rules, ruleSets } = egress
  const each = (kind: string, values: readonly unknown[]): readonly string[] => values.map((value) => `${kind} ${JSON.stringify(value)}`)
  const values = <T>(sourced: readonly { readonly value: T }[]): readonly T[] => sourced.map(({ value }) => value)
  const network = { off: [], allowlist: ['allowlist'], public: ['allowlist', 'public'], open: ['allowlist', 'public', 'open'] }[
    policy.value
  ]
  const may = [
    ...network.map((mode) => `egress ${mode}`),
    ...(isPrivate ? [] : ['egress of the request']),
    ...each('allow', values(allow)),
    ...each('ask', values(ask)),
    ...each('preset', values(presets)),
    ...each('inspect', values(inspect)),
    ...each('credentials', [credentials, login, baseUrl?.value ?? null, manifest.workspace ?? null]),
    ...each(
      'secret',
      secrets.map(({ place: _, ...secret }) => secret),
    ),
    ...each('repository', repositories),
    ...each('env', values(env)),
    ...each('mount', values(mounts)),
    ...each('publish', publish),
    ...each('degraded', degraded),
    ...(byOwner ? ['owner'] : []),
  ]
  const limits = [...each('block', values(block)), ...each('mask', values(masks))]
  // A rule may allow or deny, so other rules are neither wider nor narrower.
  const ruled = [...each('rule', values(rules)), ...each('rules', values(ruleSets))]
  return { may: [...may, ...ruled].sort(), without: [...limits, ...ruled].sort() }
}

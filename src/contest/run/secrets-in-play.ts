import { findAdapter } from '../../adapters/find-adapter.ts'
import { inPlay } from '../../credentials/scan/in-play.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** Returns all credentials that participants and judges of a contest get. The caller must dispose of them. */
export function credentialsInPlay({ participants, judges }: ContestConfig, deps: Pick<ContestDeps, 'env' | 'paths'>): Secret[] {
  const env: Record<string, string> = {}
  const credentialNames = new Set<string>()
  const files = new Set<string>()
  for (const who of [...participants, ...judges]) {
    for (const each of who.env ?? []) {
      const equals = each.indexOf('=')
      const name = equals < 0 ? each : each.slice(0, equals)
      const value = equals < 0 ? deps.env[each] : each.slice(equals + 1)
      // Two roles may have different values under the same name.
      if (value !== undefined) env[env[name] === undefined || env[name] === value ? name : `${name} of ${who.name}`] = value
    }
    for (const each of findAdapter(who.agent).credentials(deps.paths.userHome)) {
      if (each.kind === 'env') credentialNames.add(each.name)
      else files.add(each.hostPath)
    }
  }
  return inPlay({ env, credentialNames: [...credentialNames], files: [...files] })
}

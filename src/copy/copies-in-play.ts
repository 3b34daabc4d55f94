import type { CellSpec } from '../cell/plan/spec.ts'
import { inPlay } from '../credentials/scan/in-play.ts'
import type { Secret } from '../secrets/secret.ts'
import type { CopyHost } from './copy-host.ts'

/**
 * Returns credentials that agents may have on this machine: logins, and variables for credentials that are set now. The caller must dispose
 * of them.
 */
export function credentialsHere({ env, credentials: { names, files } }: Pick<CopyHost, 'env' | 'credentials'>): Secret[] {
  const set = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return inPlay({ env: Object.fromEntries(set), credentialNames: names, files })
}

/** Returns the credentials that a cell got according to its spec. The caller must dispose of them. */
export function credentialsOf(spec: CellSpec, { credentials: { names, files } }: Pick<CopyHost, 'credentials'>): Secret[] {
  const logins = new Set(files)
  return inPlay({ env: spec.env, credentialNames: names, files: spec.mounts.map((each) => each.source).filter((each) => logins.has(each)) })
}

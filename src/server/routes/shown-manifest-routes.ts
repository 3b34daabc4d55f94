import type { Manifest } from '../../fleet/manifest/manifest-schema.ts'
import { withoutValues } from '../../fleet/manifest/without-values.ts'
import type { Caller } from '../access/caller.ts'
import { mayUse } from '../access/role-order.ts'

/** Returns a manifest as a caller may see it: only those who may edit it see its values. */
export function shownManifest(manifest: Manifest, { role }: Pick<Caller, 'role'>): Manifest {
  return mayUse(role, 'operator') ? manifest : withoutValues(manifest)
}

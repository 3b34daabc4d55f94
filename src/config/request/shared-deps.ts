import type { SharedDeps } from '../../cell/plan/spec.ts'

/** What `deps` may be. */
export const sharedDeps = ['own', 'ro', 'rw'] as const satisfies readonly SharedDeps[]

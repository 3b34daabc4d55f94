import type { components } from '../../../src/client/api.ts'

/** The results of the last test of all guarantees. */
export type Seen = components['schemas']['Guarantees']

import type { components } from '../../../src/client/api.ts'

/** An agent as the server describes it. */
export type Agent = components['schemas']['Agent']

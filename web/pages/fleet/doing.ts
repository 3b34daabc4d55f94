import type { components } from '../../../src/client/api.ts'

/** What an agent does, and did last. */
export type Doing = components['schemas']['Doing']

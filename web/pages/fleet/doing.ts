import type { components } from '../../../src/client/api.ts'

/** What an agent is doing, and what it did last. */
export type Doing = components['schemas']['Doing']

import type { components } from '../../../src/client/api.ts'

/** An agent's current work and its latest jobs. */
export type Doing = components['schemas']['Doing']

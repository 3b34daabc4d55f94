import type { Config } from '../../config/config-schema.ts'
import { defaultRetention, type Retention } from './sweep-jobs.ts'

/** Returns the retention in the user's configuration, with defaults for missing keys. */
export function retentionOf(wish: NonNullable<Config['fleet']>['retention']): Retention {
  return {
    ageMs: wish?.age ?? defaultRetention.ageMs,
    bytes: wish?.size ?? defaultRetention.bytes,
    events: wish?.events ?? defaultRetention.events,
  }
}

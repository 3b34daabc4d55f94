import type { Config } from '../../config/schema.ts'
import { defaultRetention, type Retention } from './sweep.ts'

/** What the user's configuration says of retention; what it leaves out is as usual. */
export function retentionOf(wish: NonNullable<Config['fleet']>['retention']): Retention {
  return {
    ageMs: wish?.age ?? defaultRetention.ageMs,
    bytes: wish?.size ?? defaultRetention.bytes,
    events: wish?.events ?? defaultRetention.events,
  }
}

import { shellWord } from '../../base/shell-word.ts'
import type { Pause } from '../../fleet/store/pause-store.ts'

/** Returns what is paused in a restored fleet, and the command that ends it. `data`: the value of `--data`, if it is given. */
export function pauseLine({ jobs }: Pick<Pause, 'jobs'>, data: string | undefined): string {
  const what = jobs ? 'Schedules, webhooks, hooks, Discord and queued jobs are' : 'Schedules, webhooks, hooks and Discord are'
  const option = data === undefined ? '' : ` --data ${shellWord(data)}`
  return `${what} paused, because the original fleet may still run. To end the pause: paddock fleet resume${option}`
}

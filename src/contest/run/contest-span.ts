import { inSpan } from '../../telemetry/work-span.ts'
import type { Scene } from '../state/scene.ts'

/** Returns `act` as one span of telemetry (`inSpan`), named after what is done with the contest. */
export function inContestSpan<T>(
  step: 'run' | 'judge' | 'rejudge' | 'consult',
  act: (scene: Scene) => Promise<T>,
): (scene: Scene) => Promise<T> {
  return async (scene) => {
    const { contest, journal, deps } = scene
    const { config } = contest
    const attributes = {
      'paddock.contest.name': config.name,
      'paddock.contest.round': journal.status.round,
      'paddock.contest.participants': config.participants.length,
      'paddock.contest.judges': config.judges.length,
    }
    const notice = (message: string): void => deps.progress({ type: 'warning', message })
    return await inSpan({ name: `contest ${step}`, attributes }, { env: deps.env, notice }, () => act(scene))
  }
}

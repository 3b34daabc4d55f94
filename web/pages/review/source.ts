import { changed, dataOf, type Key, queries } from '../../data.ts'
import { api } from '../../page-session.ts'
import type { Change } from './review-changes.ts'

/** The options for applying changes. */
export interface ApplyBody {
  readonly paths: string[]
  readonly runLater: boolean
  readonly allowSecrets: boolean
  readonly commit?: { readonly message?: string }
}

/** The origin of changes, and the actions for them. */
export interface Source {
  /** Applies changes. Resolves to whether git committed them; null if no commit was requested. */
  apply(body: ApplyBody): Promise<boolean | null>
  /** Deletes the changes; null if they are kept. */
  readonly discard: (() => Promise<void>) | null
}

/**
 * Removes changes that were applied from a loaded review; without paths, all of it. The next comparison takes a while, in which they must
 * not be offered again.
 */
function removeChanges(key: Key, paths?: readonly string[]): void {
  const gone = new Set(paths)
  queries.setQueryData<{ readonly changes: readonly Change[] }>(
    key,
    (review) => review && { ...review, changes: paths === undefined ? [] : review.changes.filter(({ path }) => !gone.has(path)) },
  )
}

/** The changes of a job in its copy of a project. */
export function ofJob(job: string): Source {
  const params = { path: { job } }
  return {
    async apply(body) {
      const applied = dataOf(await api.POST('/api/v1/jobs/{job}/apply', { params, body: { ...body, branch: false } }))
      removeChanges(['job', job, 'changes'], body.paths)
      changed(['job', job], ['jobs'])
      return 'committed' in applied ? (applied.committed as boolean | null) : null
    },
    async discard() {
      dataOf(await api.POST('/api/v1/jobs/{job}/discard', { params }))
      removeChanges(['job', job, 'changes'])
      changed(['job', job], ['jobs'])
    },
  }
}

/** The changes of a participant in a contest's project. They stay in the participant's seal. */
export function ofContest(contest: string, participant: string): Source {
  const params = { path: { contest } }
  return {
    async apply(body) {
      const { committed } = dataOf(await api.POST('/api/v1/contests/{contest}/apply', { params, body: { participant, ...body } }))
      removeChanges(['contests', contest, 'work', participant], body.paths)
      changed(['contests', contest])
      return committed
    },
    discard: null,
  }
}

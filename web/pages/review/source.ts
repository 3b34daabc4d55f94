import { changed, dataOf } from '../../data.ts'
import { api } from '../../session.ts'

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

/** The changes of a job in its copy of a project. */
export function ofJob(job: string): Source {
  const params = { path: { job } }
  return {
    async apply(body) {
      const applied = dataOf(await api.POST('/api/v1/jobs/{job}/apply', { params, body: { ...body, branch: false } }))
      changed(['job', job], ['jobs'])
      return 'committed' in applied ? (applied.committed as boolean | null) : null
    },
    async discard() {
      dataOf(await api.POST('/api/v1/jobs/{job}/discard', { params }))
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
      changed(['contests', contest])
      return committed
    },
    discard: null,
  }
}

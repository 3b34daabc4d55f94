import type { components } from '../../../src/client/api.ts'
import { Link } from '../../parts/link.tsx'
import { many, span } from '../../parts/shown-text.ts'

type Job = components['schemas']['Job']

/** The duration of a job, or – if the job has not ended. */
export function Ran({ job: { startedAt, endedAt } }: { readonly job: Pick<Job, 'startedAt' | 'endedAt'> }) {
  return startedAt === null || endedAt === null ? '–' : span(Date.parse(endedAt) - Date.parse(startedAt))
}

/** The result of a job: the failure, or the files that were changed. */
export function Came({ job: { id, result } }: { readonly job: Pick<Job, 'id' | 'result'> }) {
  if (result === null) return <span className="soft">–</span>
  if (result.outcome.kind !== 'ran') return <span>{result.outcome.kind.replaceAll('-', ' ')}</span>
  const { changes, copy, files, toApply } = result
  const commits = (changes?.git ?? []).reduce((sum, each) => sum + (each.commitCount ?? 0), 0)
  if (files === 0 && commits > 0) return <span>{many(commits, 'commit')}</span>
  if (files === 0) return <span className="soft">no files changed</span>
  const changed = many(files, 'file')
  if (copy === null || toApply === 0) return <span>{changed}</span>
  return <Link to={`/jobs/${id}/review`}>{toApply < files ? `${changed}, ${toApply} to apply` : `${changed}, to apply`}</Link>
}

import type { Episode } from '../store/episodes.ts'
import type { Job, Jobs } from '../store/job-records.ts'
import { quotedSources } from './quoted-data.ts'

/** The longest line of continued jobs that is followed. */
const mostContinued = 100

/**
 * Returns where the agent of a job reads foreign text besides its prompt, as phrases for the rating of its cell: from the agent that
 * delegated the job, from the jobs whose conversation it continues, and from those in its memory.
 */
export function foreignText(
  job: Pick<Job, 'id' | 'parent' | 'continues' | 'requestedBy'>,
  remembered: readonly Episode[],
  jobs: Pick<Jobs, 'get' | 'prompt'>,
): readonly string[] {
  const promptOf = (id: string): string => (jobs.get(id) === null ? '' : jobs.prompt(id))
  const continued: string[] = []
  for (let at = job.continues; at !== null && continued.length < mostContinued; at = jobs.get(at)?.continues ?? null) continued.push(at)
  return [
    ...new Set([
      ...(job.parent === null ? [] : [`text of ${job.requestedBy}`]),
      ...continued.flatMap((each) => quotedSources(promptOf(each))),
      // The memory has only the start of a prompt, which may lack the text.
      ...remembered.flatMap(({ job: id, prompt, origin }) => [
        ...(origin === null ? [] : [`memory of the agent ${origin}`]),
        ...quotedSources(`${prompt}\n${promptOf(id)}`),
      ]),
    ]),
  ]
}

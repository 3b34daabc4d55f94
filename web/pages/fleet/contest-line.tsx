import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { nameOf } from '../contests/contest-name.ts'
import { isEndedTask, type Status, stateWord } from '../contests/status.ts'

/** A running contest: the participants by stage, and the tasks that the judges have finished. */
export function ContestLine({ id, directory }: { readonly id: string; readonly directory: string }) {
  const contest = useData(
    ['contests', id],
    async () => dataOf(await api.GET('/api/v1/contests/{contest}', { params: { path: { contest: id } } })),
    { everyMs: 5_000 },
  )
  return (
    <Link className="card pad row" to={`/contests/${id}`}>
      <State of="running" />
      <b>
        <Foreign>{nameOf(directory)}</Foreign>
      </b>
      <span className="soft">{progressOf(contest.data?.status ?? null)}</span>
    </Link>
  )
}

function progressOf(status: Status | null): string {
  if (status === null) return 'A contest'
  const stages = new Map<string, number>()
  for (const { state } of Object.values(status.participants)) {
    const word = stateWord(state, status.atWork)
    stages.set(word, (stages.get(word) ?? 0) + 1)
  }
  const { tasks, round } = status
  const participants = `participants: ${[...stages].map(([word, number]) => `${number} ${word}`).join(', ')}`
  const judges = tasks.length === 0 ? '' : ` · ${tasks.filter(isEndedTask).length} of ${tasks.length} judge tasks done`
  return `Round ${round} · ${participants}${judges}`
}

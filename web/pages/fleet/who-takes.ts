import { many } from '../../parts/shown-text.ts'
import type { Doing } from './activity-text.ts'

/** The result of giving a job now. `next`: the agent that takes the job. */
export interface Taking {
  readonly text: string
  readonly next: string | null
}

const waits = (why: string): Taking => ({ text: `${why.replace(/\.$/, '')}. The job waits.`, next: null })

/** Returns the agent that takes a job: the named one or, without a name, any agent with the labels. `agents`: in the server's order. */
export function whoTakes(agents: readonly Doing[], name: string, labels: readonly string[]): Taking {
  if (name !== '') {
    const found = agents.find((each) => each.name === name)
    return found === undefined ? { text: '', next: null } : ofOne(found)
  }
  const labelled = agents.filter((each) => labels.every((label) => each.labels.includes(label)))
  if (labelled.length === 0) return waits(`No agent has ${labels.length === 1 ? 'the label' : 'the labels'} ${listed(labels)}.`)
  const free = labelled.filter(({ isFree }) => isFree)
  const [first] = free
  if (first !== undefined) return { text: `${many(free.length, 'free agent')} match${free.length === 1 ? 'es' : ''}.`, next: first.name }
  const started = labelled.filter(({ state }) => state !== 'stopped')
  const [one] = started
  if (one === undefined)
    return waits(
      labelled.length === 1
        ? `Only ${labelled[0]?.name} matches, and it is stopped.`
        : `All ${labelled.length} agents that match are stopped.`,
    )
  const hindered = started.filter(({ problem }) => problem !== null)
  if (hindered.length === started.length)
    return waits(
      started.length === 1 ? `Only ${one.name} matches: ${one.problem}` : `None of ${started.length} agents that match can work now.`,
    )
  return waits(
    started.length === 1 ? `Only ${one.name} matches, and it is busy.` : `${many(started.length, 'agent')} match, and none is free.`,
  )
}

function ofOne({ isFree, queued, state, problem }: Doing): Taking {
  if (isFree && queued === 0) return { text: '', next: null }
  if (state === 'stopped') return waits('It is stopped.')
  if (queued > 0) return waits(`${many(queued, 'job')} ${queued === 1 ? 'is' : 'are'} ahead of it.`)
  return waits(problem ?? 'It is busy.')
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

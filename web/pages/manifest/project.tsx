import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Field } from '../../parts/field.tsx'
import { projectsOf } from './known-projects.ts'

/** Returns the directories to choose a project from. */
export function useProjects(): readonly string[] {
  const server = useData(['server'], async () => dataOf(await api.GET('/api/v1/server')))
  const agents = useData(
    ['agents', 'manifests'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  return projectsOf(
    (agents.data ?? []).map(({ manifest }) => manifest),
    server.data?.configuration.projects ?? [],
  )
}

/** The project of an agent: one of the known directories, or another one. */
export function Project({
  value,
  known,
  problem,
  set,
}: {
  readonly value: string
  readonly known: readonly string[]
  readonly problem: string | null
  readonly set: (value: string | undefined) => void
}) {
  const isOther = !known.includes(value)
  const [first = '~'] = known
  return (
    <div className="stack">
      {known.length === 0 ? null : (
        <Field label="Project" problem={isOther ? null : problem}>
          {(control) => (
            <select
              {...control}
              value={isOther ? '' : value}
              onChange={(event) => set(event.target.value === '' ? `${first.replace(/\/$/, '')}/` : event.target.value)}
            >
              {known.map((each) => (
                <option key={each}>{each}</option>
              ))}
              <option value="">other directory …</option>
            </select>
          )}
        </Field>
      )}
      {isOther ? (
        <Field
          label={known.length === 0 ? 'Project' : 'Directory'}
          hint="A directory on the server that fleet.projects in its config.yaml lists, or one inside it"
          problem={problem}
        >
          {(control) => (
            <input {...control} value={value} onChange={(event) => set(event.target.value === '' ? undefined : event.target.value)} />
          )}
        </Field>
      ) : null}
    </div>
  )
}

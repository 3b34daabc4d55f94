import { zonedTime } from '../../../src/base/zoned-time.ts'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { New } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { type Column, List, type RowAction } from '../../parts/list.tsx'
import { Empty } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

type Schedule = components['schemas']['Schedule']

const columns: readonly Column<Schedule>[] = [
  { title: 'State', cell: ({ paused }) => <State of={paused ? 'stopped' : 'idle'} /> },
  {
    title: 'Schedule',
    isName: true,
    cell: ({ name, promptStart }) => (
      <>
        {name}
        <span className="soft small block">
          <Foreign>{promptStart}</Foreign>
        </span>
      </>
    ),
  },
  {
    title: 'When',
    cell: ({ cron, zone }) => (
      <>
        <code>{cron}</code> <span className="soft small">{zone}</span>
      </>
    ),
  },
  {
    title: 'Next',
    hover: ({ next, zone }) => next.map((time) => zonedTime(time, zone)).join('\n'),
    cell: ({ next: [next], zone }) =>
      next === undefined ? (
        '–'
      ) : (
        <>
          {zonedTime(next, zone)}
          <span className="soft small block">
            in <Until at={next} />
          </span>
        </>
      ),
  },
  {
    title: 'Last',
    look: 'hide',
    cell: ({ problem, lastJob }) =>
      problem !== null ? (
        <Foreign>{problem}</Foreign>
      ) : lastJob !== null ? (
        <Link to={`/jobs/${lastJob}`}>show job</Link>
      ) : (
        <span className="soft">–</span>
      ),
  },
]

async function act(schedule: string, what: 'pause' | 'resume' | 'run'): Promise<void> {
  dataOf(await api.POST(`/api/v1/schedules/{schedule}/${what}`, { params: { path: { schedule } } }))
  changed(['schedules'], ['jobs'])
}

const actions: readonly RowAction<Schedule>[] = [
  { label: 'Run now', run: ({ id }) => act(id, 'run') },
  { label: ({ paused }) => (paused ? 'Resume' : 'Pause'), run: ({ id, paused }) => act(id, paused ? 'resume' : 'pause') },
  {
    label: 'Delete',
    confirm: ({ name }) => ({
      title: `Delete the schedule ${name}?`,
      act: 'Delete schedule',
      lost: 'No new jobs will start. Existing jobs are kept.',
    }),
    run: async ({ id }) => {
      dataOf(await api.DELETE('/api/v1/schedules/{schedule}', { params: { path: { schedule: id } } }))
      changed(['schedules'])
    },
  },
]

/** The schedules of the agent. */
export function Schedules({ agent }: { readonly agent: Agent }) {
  const all = useData(['schedules'], async () => dataOf(await api.GET('/api/v1/schedules')).items)
  const mayChange = useMay('operator')
  return (
    <div className="stack">
      {mayChange ? <NewSchedule agent={agent} /> : null}
      <List
        query={all}
        items={all.data?.filter(({ agentId }) => agentId === agent.id)}
        keyOf={({ id }) => id}
        columns={columns}
        actions={mayChange ? actions : []}
        empty={
          <Empty
            icon="later"
            title="This agent has no schedules"
            command={`paddock schedule create NAME --agent ${agent.name} --cron '0 7 * * 1-5' --prompt 'Check all links'`}
          >
            <p>A schedule starts a job at the times of a cron pattern.</p>
          </Empty>
        }
      />
    </div>
  )
}

function NewSchedule({ agent: { id } }: { readonly agent: Agent }) {
  return (
    <New
      title="New schedule"
      draft={`schedule ${id}`}
      act={['Create schedule', 'Creating …']}
      fields={[
        { key: 'name', label: 'Name', hint: 'Lower-case letters, digits and hyphens, such as links' },
        {
          key: 'cron',
          label: 'When',
          start: '0 7 * * 1-5',
          hint: 'Minute, hour, day, month, weekday, as in crontab',
          input: { className: 'mono' },
        },
        { key: 'zone', label: 'Time zone', start: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC' },
        {
          ...{ key: 'missed', label: 'If runs were missed while the server was down', start: 'once' },
          options: [
            ['once', 'run once'],
            ['skip', 'skip them'],
          ],
        },
        {
          ...{ key: 'overlap', label: 'If the previous job is still running', start: 'skip' },
          options: [
            ['skip', 'skip this run'],
            ['queue', 'queue the job anyway'],
          ],
        },
        { key: 'prompt', label: 'Prompt', lines: 3 },
      ]}
      send={async ({ missed, overlap, ...wish }) => {
        const choices = { missed: missed as 'once' | 'skip', overlap: overlap as 'skip' | 'queue' }
        dataOf(await api.POST('/api/v1/schedules', { body: { ...wish, ...choices, agent: id } }))
        changed(['schedules'])
        return null
      }}
    />
  )
}

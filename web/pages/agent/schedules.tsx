import { type FormEvent, useState } from 'react'
import { zonedTime } from '../../../src/zoned-time.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** The schedules of the agent. */
export function Schedules({ agent }: { readonly agent: Agent }) {
  const all = useData(['schedules'], async () => dataOf(await api.GET('/api/v1/schedules')).items)
  const mayChange = useMay('operator')
  const [isNew, setNew] = useState(false)
  const [doomed, setDoomed] = useState<string | null>(null)
  const act = useAct(async (what: 'pause' | 'resume' | 'run' | 'delete', schedule: string) => {
    const params = { path: { schedule } }
    if (what === 'delete') dataOf(await api.DELETE('/api/v1/schedules/{schedule}', { params }))
    else dataOf(await api.POST(`/api/v1/schedules/{schedule}/${what}`, { params }))
    changed(['schedules'], ['jobs'])
  })
  if (all.data === null) return <Pending {...all} />
  const own = all.data.filter(({ agentId }) => agentId === agent.id)
  return (
    <div className="stack">
      {act.problem === null ? null : <Trouble problem={act.problem} />}
      {own.length === 0 && !isNew ? (
        <Empty
          icon="later"
          title="This agent has no schedules"
          command={`paddock schedule create NAME --agent ${agent.name} --cron '0 7 * * 1-5' --prompt 'Check all links'`}
        >
          <p>A schedule starts a job at the times of a cron expression.</p>
        </Empty>
      ) : null}
      {own.length === 0 ? null : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>State</th>
                <th>Schedule</th>
                <th>When</th>
                <th>Next</th>
                <th className="hide">Last</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {own.map((each) => (
                <tr key={each.id}>
                  <td>
                    <State of={each.paused ? 'stopped' : 'idle'} />
                  </td>
                  <th scope="row">
                    {each.name}
                    <span className="soft small block">
                      <Foreign>{each.promptStart}</Foreign>
                    </span>
                  </th>
                  <td>
                    <code>{each.cron}</code> <span className="soft small">{each.zone}</span>
                  </td>
                  <td title={each.next.map((time) => zonedTime(time, each.zone)).join('\n')}>
                    {each.next[0] === undefined ? (
                      '–'
                    ) : (
                      <>
                        {zonedTime(each.next[0], each.zone)}
                        <span className="soft small block">
                          in <Until at={each.next[0]} />
                        </span>
                      </>
                    )}
                  </td>
                  <td className="hide">
                    {each.problem === null ? (
                      each.lastJob === null ? (
                        <span className="soft">–</span>
                      ) : (
                        <Link to={`/jobs/${each.lastJob}`}>show job</Link>
                      )
                    ) : (
                      <Foreign>{each.problem}</Foreign>
                    )}
                  </td>
                  <td>
                    {mayChange ? (
                      <span className="row">
                        <button className="btn" type="button" disabled={act.isSending} onClick={() => act.run('run', each.id)}>
                          Run now
                        </button>
                        <button
                          className="btn"
                          type="button"
                          disabled={act.isSending}
                          onClick={() => act.run(each.paused ? 'resume' : 'pause', each.id)}
                        >
                          {each.paused ? 'Resume' : 'Pause'}
                        </button>
                        <button className="btn bad" type="button" onClick={() => setDoomed(each.id)}>
                          Delete …
                        </button>
                      </span>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!mayChange ? null : isNew ? (
        <NewSchedule agent={agent} onDone={() => setNew(false)} />
      ) : (
        <p>
          <button className="btn" type="button" onClick={() => setNew(true)}>
            <i className="i i-plus" />
            New schedule
          </button>
        </p>
      )}
      {doomed === null ? null : (
        <Confirm
          title="Delete this schedule?"
          act="Delete schedule"
          onClose={() => setDoomed(null)}
          onAct={() => {
            act.run('delete', doomed)
            setDoomed(null)
          }}
        >
          No new jobs will start. Existing jobs are kept.
        </Confirm>
      )}
    </div>
  )
}

function NewSchedule({ agent, onDone }: { readonly agent: Agent; readonly onDone: () => void }) {
  const [wish, setWish] = useState({
    name: '',
    cron: '0 7 * * 1-5',
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    prompt: '',
  })
  const [missed, setMissed] = useState<'once' | 'skip'>('once')
  const [overlap, setOverlap] = useState<'skip' | 'queue'>('skip')
  const create = useAct(async () => {
    dataOf(await api.POST('/api/v1/schedules', { body: { ...wish, agent: agent.id, missed, overlap } }))
    changed(['schedules'])
    onDone()
  })
  const set = (key: keyof typeof wish) => (event: { readonly target: { readonly value: string } }) =>
    setWish({ ...wish, [key]: event.target.value })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.run()
  }
  return (
    <form className="card pad stack" aria-label="New schedule" onSubmit={submit}>
      <h2>New schedule</h2>
      {create.problem === null ? null : <Trouble problem={create.problem} />}
      <div className="two">
        <Field label="Name" hint="Lower-case letters, digits and hyphens, such as links">
          {(control) => <input {...control} required value={wish.name} onChange={set('name')} />}
        </Field>
        <Field label="When" hint="Minute, hour, day, month, weekday, as in crontab">
          {(control) => <input {...control} className="mono" required value={wish.cron} onChange={set('cron')} />}
        </Field>
        <Field label="Time zone">{(control) => <input {...control} required value={wish.zone} onChange={set('zone')} />}</Field>
        <Field label="If runs were missed while the server was down">
          {(control) => (
            <select {...control} value={missed} onChange={(event) => setMissed(event.target.value as 'once' | 'skip')}>
              <option value="once">run once</option>
              <option value="skip">skip them</option>
            </select>
          )}
        </Field>
        <Field label="If the previous job is still running">
          {(control) => (
            <select {...control} value={overlap} onChange={(event) => setOverlap(event.target.value as 'skip' | 'queue')}>
              <option value="skip">skip this run</option>
              <option value="queue">queue the job anyway</option>
            </select>
          )}
        </Field>
      </div>
      <Field label="Prompt">{(control) => <textarea {...control} rows={3} required value={wish.prompt} onChange={set('prompt')} />}</Field>
      <p className="row">
        <button className="btn" type="button" onClick={onDone}>
          Cancel
        </button>
        <button className="btn main end" type="submit" disabled={create.isSending}>
          {create.isSending ? 'Creating …' : 'Create schedule'}
        </button>
      </p>
    </form>
  )
}

import { type FormEvent, useState } from 'react'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { visible } from '../../parts/visible.ts'
import { Estimate } from './estimate.tsx'

/** Starts the contest of a directory that the configuration allows. */
export function Start() {
  const directories = useData(['contest-directories'], async () => dataOf(await api.GET('/api/v1/contests/directories')).items, {
    everyMs: 30_000,
  })
  const [chosen, setChosen] = useState('')
  const items = directories.data ?? []
  const directory = items.some((each) => each.directory === chosen) ? chosen : (items[0]?.directory ?? '')
  const start = useAct(async () => {
    const { id } = dataOf(await api.POST('/api/v1/contests', { body: { directory, retry: false } }))
    changed(['contests'])
    go(`/contests/${id}`)
  })
  return (
    <form
      className="card rail"
      aria-labelledby="start"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        start.run()
      }}
    >
      <header>
        <h2 id="start">Start a contest</h2>
      </header>
      <div className="pad stack">
        <Pending {...directories} rows={2} />
        {directories.data?.length === 0 ? (
          <p className="soft">
            No contest can be started from here. To allow one, list its directory in <code>fleet.contests</code> of config.yaml.
          </p>
        ) : null}
        {items.length === 0 ? null : (
          <>
            <div className="field">
              <label htmlFor="directory">Directory</label>
              <select id="directory" value={directory} onChange={(event) => setChosen(event.target.value)}>
                {items.map((each) => (
                  <option key={each.directory} value={each.directory}>
                    {visible(each.directory)}
                  </option>
                ))}
              </select>
              <p className="hint">
                From <code>fleet.contests</code> of config.yaml. A contest that has already started continues.
              </p>
            </div>
            <Estimate key={directory} directory={directory} />
            {start.problem === null ? null : <Trouble problem={start.problem} />}
            <button className="btn main" type="submit" disabled={start.isSending}>
              {start.isSending ? 'Starting …' : 'Start contest'}
            </button>
          </>
        )}
      </div>
    </form>
  )
}

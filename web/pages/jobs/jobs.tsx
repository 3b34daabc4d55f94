import { useRef } from 'react'
import { useKeys } from '../../parts/keys.ts'
import { Empty, Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { StateName } from '../../parts/state.tsx'
import { Page } from '../../shell/page.tsx'
import { JobTable } from './job-table.tsx'
import { states, useJobs } from './use-jobs.ts'

/** The jobs of the fleet, newest first. */
export function Jobs() {
  const [state, setState] = useParameter('state')
  const [agent, setAgent] = useParameter('agent')
  const [text, setText] = useParameter('q')
  const search = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => search.current?.focus() })
  const { jobs, hasMore, more, isComing } = useJobs({ state, agent, text: text.trim() })
  const isPlain = state === '' && agent === '' && text.trim() === ''
  return (
    <Page title="Jobs">
      <div className="stack">
        <div className="row">
          <fieldset className="chips one grow" aria-label="State">
            <button className="chip" type="button" aria-pressed={state === ''} onClick={() => setState('')}>
              All
            </button>
            {states.map((each) => (
              <button
                key={each}
                className="chip"
                type="button"
                aria-pressed={state === each}
                onClick={() => setState(state === each ? '' : each)}
              >
                <StateName of={each} />
              </button>
            ))}
            {agent === '' ? null : (
              <button className="chip" type="button" aria-pressed="true" onClick={() => setAgent('')}>
                of {agent} <i className="i i-x" />
              </button>
            )}
          </fieldset>
          <input
            ref={search}
            className="w-md end filter"
            type="search"
            aria-label="Text of the prompt"
            placeholder="Text of the prompt  /"
            maxLength={200}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Pending {...jobs} rows={8} />
        {jobs.data?.items.length !== 0 ? null : (
          <Empty
            icon="jobs"
            title={isPlain ? 'There are no jobs yet' : 'No jobs match'}
            command="paddock job run AGENT --prompt 'What should be done?'"
          >
            <p>A job is one piece of work for an agent. Give one on the fleet page, or run on the server’s machine:</p>
          </Empty>
        )}
        {jobs.data === null || jobs.data.items.length === 0 ? null : <JobTable jobs={jobs.data.items} />}
        {hasMore ? (
          <p>
            <button className="btn" type="button" disabled={isComing} onClick={more}>
              {isComing ? 'Loading …' : 'Load older jobs'}
            </button>
          </p>
        ) : null}
      </div>
    </Page>
  )
}

import { type FormEvent, useMemo, useState } from 'react'
import { dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useDraft } from '../../parts/draft.ts'
import { Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { useWantedFocus } from '../../parts/wanted-focus.ts'
import type { Doing } from './activity-text.ts'
import { BudgetField } from './budget-field.tsx'
import { whoTakes } from './who-takes.ts'

/** Gives a job to one agent, or to any free agent with given labels. Shows in advance which agent takes the job. */
export function GiveWork({ agents, only }: { readonly agents: readonly Doing[]; readonly only?: string }) {
  const [prompt, setPrompt, forget] = useDraft(`give ${only ?? ''}`)
  const [chosen, setChosen] = useState('')
  const [budget, setBudget] = useState<string | null>(null)
  const [labels, setLabels] = useState<readonly string[]>([])
  const agent = only ?? chosen
  const taking = whoTakes(agents, agent, labels)
  useWantedFocus('prompt')
  const known = useMemo(() => [...new Set(agents.flatMap((each) => each.labels))].sort(), [agents])
  const give = useAct(async () => {
    const to = agent === '' ? { labels: [...labels] } : { agent, labels: [] }
    const limit = budget === null || budget === '' ? {} : { budget: { usd: Number(budget) } }
    const { id } = dataOf(await api.POST('/api/v1/jobs', { body: { ...to, prompt, ...limit } }))
    forget()
    go(`/jobs/${id}`)
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (prompt.trim() !== '') give.run()
  }
  return (
    <form className="card give" aria-label="New job" onSubmit={submit}>
      <label className="sr" htmlFor="prompt">
        Prompt
      </label>
      <textarea
        id="prompt"
        rows={2}
        required
        placeholder={only === undefined ? 'What should be done?' : `What should ${only} do?`}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      {give.problem === null ? null : <Trouble problem={give.problem} />}
      <div className="row">
        {only !== undefined ? null : (
          <>
            <label className="sr" htmlFor="who">
              Agent
            </label>
            <select id="who" value={agent} onChange={(event) => setChosen(event.target.value)}>
              <option value="">Any matching agent</option>
              {agents.map((each) => (
                <option key={each.id}>{each.name}</option>
              ))}
            </select>
          </>
        )}
        {agent !== '' || known.length === 0 ? null : (
          <fieldset className="chips" aria-label="Required labels">
            {known.slice(0, 12).map((each) => (
              <button
                key={each}
                className="chip"
                type="button"
                aria-pressed={labels.includes(each)}
                onClick={() => setLabels(labels.includes(each) ? labels.filter((one) => one !== each) : [...labels, each])}
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
        <BudgetField budget={budget} onChange={setBudget} />
        <span className="soft small" role="status">
          {taking.text}
          {taking.next === null ? null : (
            <>
              {' '}
              <b>{taking.next}</b> takes it next.
            </>
          )}
        </span>
        <button className="btn main end" type="submit" disabled={give.isSending || prompt.trim() === ''}>
          {give.isSending ? 'Sending …' : 'Run job'} <kbd>Ctrl ⏎</kbd>
        </button>
      </div>
    </form>
  )
}

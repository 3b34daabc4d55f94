import { type FormEvent, useState } from 'react'
import { dataOf, useLoaded } from '../live.ts'
import { go, Pending, State } from '../parts.tsx'
import { api } from '../session.ts'

const load = async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items

/** What every agent does now, and a box that gives work to one of them. */
export function Fleet() {
  const agents = useLoaded('agents', load, () => true)
  const items = agents.data ?? []
  return (
    <div className="stack lg">
      {items.length === 0 ? null : <GiveWork names={items.map(({ name }) => name)} />}
      <Pending {...agents} />
      {agents.data !== null && items.length === 0 ? (
        <section className="card pad stack">
          <h2>There is no agent yet</h2>
          <p>An agent is described by a manifest. On the machine of this server, run:</p>
          <pre className="cmd">paddock agent create examples/fleet/claude.yaml</pre>
        </section>
      ) : null}
      {items.length === 0 ? null : (
        <div className="scroll">
          <table className="fleet cards">
            <thead>
              <tr>
                <th>State</th>
                <th>Agent</th>
                <th>Now</th>
                <th className="n">Queue</th>
              </tr>
            </thead>
            <tbody>
              {items.map((each) => (
                <tr key={each.id}>
                  <td>
                    <State of={each.state} />
                  </td>
                  <th scope="row">
                    {each.name}
                    <span className="kind small">{each.manifest.agent}</span>
                  </th>
                  <td className="now">
                    {each.problem ?? (each.running > 0 ? `${each.running} ${each.running === 1 ? 'job runs' : 'jobs run'}` : '–')}
                  </td>
                  <td className="n">{each.queued === 0 ? '–' : each.queued}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function GiveWork({ names }: { readonly names: readonly string[] }) {
  const [prompt, setPrompt] = useState('')
  const [agent, setAgent] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setProblem(null)
    try {
      const { id } = dataOf(
        await api.POST('/api/v1/jobs', { body: { agent: agent === '' ? (names[0] ?? '') : agent, labels: [], prompt } }),
      )
      setPrompt('')
      go(`/jobs/${id}`)
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setSending(false)
    }
  }
  return (
    <form className="card give" aria-label="Give work" onSubmit={(event) => void send(event)}>
      <label className="sr" htmlFor="prompt">
        Prompt
      </label>
      <textarea
        id="prompt"
        rows={2}
        required
        placeholder="What should be done?"
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      {problem === null ? null : (
        <p className="aside bad" role="alert">
          <i className="i i-fail" />
          <span>{problem}</span>
        </p>
      )}
      <div className="row">
        <label className="sr" htmlFor="who">
          Agent
        </label>
        <select id="who" value={agent} onChange={(event) => setAgent(event.target.value)}>
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <button className="btn main end" type="submit" disabled={isSending || prompt.trim() === ''}>
          Give work <kbd>Ctrl ⏎</kbd>
        </button>
      </div>
    </form>
  )
}

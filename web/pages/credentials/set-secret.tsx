import { type FormEvent, useId, useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Trouble } from '../../parts/notice.tsx'
import { say } from '../../parts/toast.tsx'
import { api } from '../../session.ts'

/** Stores a new secret, or a new value of one. The value is only in this field and in one request. */
export function SetSecret({ name: known, onDone }: { readonly name?: string; readonly onDone?: () => void }) {
  const id = useId()
  const [name, setName] = useState(known ?? '')
  const [value, setValue] = useState('')
  const [hosts, setHosts] = useState('')
  const [place, setPlace] = useState('')
  const set = useAct(async () => {
    const list = hosts.split(/[\s,]+/).filter((each) => each !== '')
    const body = { value, ...(list.length === 0 ? {} : { hosts: list }), ...(place === '' ? {} : { place }) }
    dataOf(await api.PUT('/api/v1/vault/{name}', { params: { path: { name } }, body }))
    setValue('')
    setName(known ?? '')
    setHosts('')
    setPlace('')
    say(`${name} was saved`)
    changed(['vault'])
    onDone?.()
  })
  return (
    <form
      className="stack"
      aria-label={known === undefined ? 'Add a secret' : `Replace ${known}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        set.run()
      }}
    >
      <div className="two sm">
        {known === undefined ? (
          <div className="field">
            <label htmlFor={`${id}-name`}>Name</label>
            <input
              id={`${id}-name`}
              required
              pattern="[A-Za-z0-9_][A-Za-z0-9._\-]{0,63}"
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <p className="hint">Manifests refer to it as vault:NAME.</p>
          </div>
        ) : null}
        <div className="field">
          <label htmlFor={`${id}-value`}>Value</label>
          <input
            id={`${id}-value`}
            type="password"
            autoComplete="off"
            required
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <p className="hint">It is never shown again.</p>
        </div>
        <div className="field">
          <label htmlFor={`${id}-hosts`}>Hosts</label>
          <input
            id={`${id}-hosts`}
            required={known === undefined}
            autoComplete="off"
            placeholder="api.example.com"
            value={hosts}
            onChange={(event) => setHosts(event.target.value)}
          />
          <p className="hint">{known === undefined ? 'The only hosts that it is sent to.' : 'Leave empty to keep them.'}</p>
        </div>
        <div className="field">
          <label htmlFor={`${id}-place`}>Place in a request</label>
          <input
            id={`${id}-place`}
            autoComplete="off"
            placeholder="header:x-api-key"
            value={place}
            onChange={(event) => setPlace(event.target.value)}
          />
          <p className="hint">Leave empty {known === undefined ? 'to use the place where the agent puts it.' : 'to keep it.'}</p>
        </div>
      </div>
      {set.problem === null ? null : <Trouble problem={set.problem} />}
      <p className="row">
        {onDone === undefined ? null : (
          <button className="btn" type="button" onClick={onDone}>
            Cancel
          </button>
        )}
        <button className="btn main" type="submit" disabled={set.isSending || value === ''}>
          {set.isSending ? 'Storing …' : known === undefined ? 'Add secret' : `Replace ${known}`}
        </button>
      </p>
    </form>
  )
}

import { useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { visible } from '../../parts/visible.ts'
import { useMay } from '../../who.ts'
import { nameOf } from './contest-name.ts'

type Listed = components['schemas']['SuiteComparison'] & { readonly name: string }

/** The comparisons of a suite with earlier runs, and the action that makes one. */
export function SuiteComparisons({ directory, isAtWork }: { readonly directory: string; readonly isAtWork: boolean }) {
  const may = useMay('operator')
  const [isAsking, setAsking] = useState(false)
  const list = useData(['suites', directory, 'comparisons'], async () =>
    dataOf(await api.GET('/api/v1/suites/comparisons', { params: { query: { directory } } })),
  )
  const items = list.data?.items ?? []
  return (
    <section className="stack" aria-labelledby="comparisons">
      <div className="row">
        <h2 id="comparisons">Comparisons</h2>
        {may && !isAtWork ? (
          <button className="btn" type="button" onClick={() => setAsking(true)}>
            Compare …
          </button>
        ) : null}
      </div>
      <Pending {...list} rows={1} />
      {list.data !== null && items.length === 0 ? <p className="soft">This suite was not compared with an earlier run yet.</p> : null}
      {items.length === 0 ? null : (
        <ul className="plainlist stack">
          {items.map((each) => (
            <Item key={each.name} directory={directory} item={each} />
          ))}
        </ul>
      )}
      {isAsking ? <Ask directory={directory} onClose={() => setAsking(false)} /> : null}
    </section>
  )
}

function Item({
  directory,
  item,
}: {
  readonly directory: string
  readonly item: Pick<Listed, 'name' | 'generatedAt' | 'sentences' | 'isFailed' | 'gates'>
}) {
  const { name, generatedAt, sentences, isFailed, gates } = item
  const isGated = gates.some(({ measure }) => measure !== 'infrastructure')
  return (
    <li className="card pad stack">
      <div className="row">
        <Link to={comparisonAddress(directory, name)}>
          <Foreign>{name}</Foreign>
        </Link>
        {isGated ? <State of={isFailed ? 'failed' : 'done'} pill /> : null}
        <span className="soft small end">
          <Ago at={generatedAt} />
        </span>
      </div>
      {sentences.slice(0, 3).map((each) => (
        <Foreign key={each} className="block small any">
          {each}
        </Foreign>
      ))}
    </li>
  )
}

const comparisonAddress = (directory: string, name: string): string =>
  `/suites/comparison?directory=${encodeURIComponent(directory)}&name=${encodeURIComponent(name)}`

/** Asks what to compare the suite with. */
function Ask({ directory, onClose }: { readonly directory: string; readonly onClose: () => void }) {
  const suites = useData(['suites'], async () => dataOf(await api.GET('/api/v1/suites')).items)
  const [base, setBase] = useState(directory)
  const [round, setRound] = useState('1')
  const [failIf, setFailIf] = useState('worse by 3')
  const [asJudged, setAsJudged] = useState(false)
  const isOwn = base === directory
  const others = (suites.data ?? []).filter((each) => each.directory !== directory)
  const start = useAct(async () => {
    const wanted = round.trim() === '' ? {} : { round: Number(round) }
    const conditions = failIf.trim() === '' ? [] : [failIf.trim()]
    dataOf(await api.POST('/api/v1/suites/compare', { body: { directory, base, failIf: conditions, asJudged, ...wanted } }))
    changed(['suites', directory])
    onClose()
  })
  return (
    <Dialog label="Compare this suite" onClose={onClose}>
      <form
        className="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          start.run()
        }}
      >
        <h2>Compare this suite with an earlier run</h2>
        <p className="soft small">
          Judges see both works of each pair without knowing which is new. A pair that was judged is not judged again.
        </p>
        <Field label="Earlier run">
          {(control) => (
            <select {...control} value={base} onChange={(event) => setBase(event.target.value)}>
              <option value={directory}>An earlier round of this suite</option>
              {others.map((each) => (
                <option key={each.directory} value={each.directory}>
                  {visible(nameOf(each.directory))}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Round" hint={isOwn ? 'Each new start of the suite is a round.' : 'Leave it empty for the newest.'}>
          {(control) => (
            <input {...control} type="number" min={1} required={isOwn} value={round} onChange={(event) => setRound(event.target.value)} />
          )}
        </Field>
        <Field label="Fail if" hint="For example: worse by 3, checks worse by 10, or cost worse by 20%.">
          {(control) => <input {...control} value={failIf} onChange={(event) => setFailIf(event.target.value)} />}
        </Field>
        <label className="row">
          <input type="checkbox" checked={asJudged} onChange={(event) => setAsJudged(event.target.checked)} />
          Use the scores of the old judgings, which never fail
        </label>
        {start.problem === null ? null : <Trouble problem={start.problem} />}
        <p className="row">
          <button className="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="btn main end" type="submit" disabled={start.isSending}>
            {start.isSending ? 'Starting …' : 'Compare'}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

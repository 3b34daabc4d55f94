import { useParameter } from '../../parts/page-address.ts'
import { type Place, useRows } from '../../parts/rows.tsx'
import { count } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import type { Seen } from './seen.ts'

type Result = NonNullable<Seen['result']>
type Claim = Result['guarantees'][number]

const words = { held: 'holds', broken: 'fails', unenforceable: 'not run' } as const
const order = ['broken', 'unenforceable', 'held'] as const

/** All claims, by chapter. A row expands to the mechanism and the test. */
export function Claims({ result }: { readonly result: Result }) {
  const [chapter, setChapter] = useParameter('chapter')
  const [open, setOpen] = useParameter('id')
  const chapters = [...new Set(result.guarantees.map((each) => each.chapter))]
  const shown = result.guarantees
    .filter((each) => chapter === '' || each.chapter === chapter)
    .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
  const rows = useRows(
    shown.flatMap((claim) => [{ claim, isWhole: false }, ...(open === claim.id ? [{ claim, isWhole: true }] : [])]),
    'cards wrap claims',
    { keyOf: ({ claim: { id }, isWhole }) => (isWhole ? `${id}, whole` : id), height: 60 },
  )
  const number = (status: Claim['status']): number => result.guarantees.filter((each) => each.status === status).length
  return (
    <section className="stack" aria-labelledby="claims">
      <h2 id="claims" className="sr">
        All guarantees
      </h2>
      <div className="tally">
        {(['held', 'broken', 'unenforceable'] as const).map((each) => (
          <span key={each}>
            <State of={words[each]} /> <b>{count(number(each))}</b>
          </span>
        ))}
        <span className="end">
          {result.posture} by {result.backend} · egress {result.egress}
        </span>
      </div>
      <fieldset className="chips" aria-label="Chapter">
        <button className="chip" type="button" aria-pressed={chapter === ''} onClick={() => setChapter('')}>
          All <span className="n">{result.guarantees.length}</span>
        </button>
        {chapters.map((each) => (
          <button
            key={each}
            className="chip"
            type="button"
            aria-pressed={chapter === each}
            onClick={() => setChapter(chapter === each ? '' : each)}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <div className="scroll">
        <table {...rows.table}>
          <thead>
            <tr>
              <th>Result</th>
              <th>Guarantee</th>
              <th>Kind</th>
              <th>Chapter</th>
              <th className="n">Time</th>
            </tr>
          </thead>
          <tbody>
            {rows.before}
            {rows.drawn.map(([{ claim, isWhole }, place]) =>
              isWhole ? (
                <tr key={`${claim.id}, whole`} {...place}>
                  <td colSpan={5} className="wide">
                    <Details {...claim} />
                  </td>
                </tr>
              ) : (
                <Row
                  key={claim.id}
                  claim={claim}
                  place={place}
                  isOpen={open === claim.id}
                  onToggle={() => setOpen(open === claim.id ? '' : claim.id)}
                />
              ),
            )}
            {rows.after}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({
  claim,
  place,
  isOpen,
  onToggle,
}: {
  readonly claim: Claim
  readonly place: Place
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  return (
    <tr {...place}>
      <td>
        <State of={words[claim.status]} />
      </td>
      <th scope="row" className="wide">
        <button className="unfold" type="button" aria-expanded={isOpen} onClick={onToggle}>
          {claim.claim}
        </button>
        <code className="soft xs block">{claim.id}</code>
      </th>
      <td className="soft">{claim.kind}</td>
      <td className="soft hide">{claim.chapter}</td>
      <td className="n soft hide">{count(claim.durationMs)} ms</td>
    </tr>
  )
}

function Details({ id, evidence, mechanism, why, fails }: Claim) {
  return (
    <dl className="kv">
      <dt>Observed</dt>
      <dd>{evidence}</dd>
      <dt>Mechanism</dt>
      <dd>{mechanism}</dd>
      <dt>Why this is enough</dt>
      <dd>{why}</dd>
      <dt>How it can fail</dt>
      <dd>{fails.join(' ')}</dd>
      <dt>Probe</dt>
      <dd>
        <code>paddock verify --only {id}</code>
      </dd>
    </dl>
  )
}

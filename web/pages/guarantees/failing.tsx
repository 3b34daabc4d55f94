import { Copy } from '../../parts/copy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import type { Seen } from './seen.ts'

/** Guarantees that do not hold, shown first. */
export function Failing({ result }: { readonly result: NonNullable<Seen['result']> }) {
  const broken = result.guarantees.filter(({ status }) => status === 'broken')
  if (broken.length === 0)
    return (
      <Notice tone="good">
        <b>No guarantee failed here.</b> {many(result.guarantees.filter(({ status }) => status === 'held').length, 'probe')} could not break
        what they attack.
      </Notice>
    )
  return (
    <>
      <Notice tone="bad">
        <b>
          {many(broken.length, 'guarantee fails', 'guarantees fail')} here, of {result.guarantees.length}.
        </b>{' '}
        Do not rely on what they promise until the probe passes again.
      </Notice>
      {broken.map(({ id, claim, evidence, mechanism }) => {
        const command = `paddock verify --only ${id}`
        return (
          <section key={id} className="card pad stack" aria-labelledby={`broken-${id}`}>
            <h2 id={`broken-${id}`}>{claim}</h2>
            <dl className="kv">
              <dt>Observed</dt>
              <dd className="bad">{evidence}</dd>
              <dt>Mechanism</dt>
              <dd>{mechanism} It is not in effect here. Compare with what this machine can enforce, below.</dd>
              <dt>Try again</dt>
              <dd className="row">
                <code>{command}</code>
                <Copy text={command} label="Copy the command" />
              </dd>
            </dl>
          </section>
        )
      })}
    </>
  )
}

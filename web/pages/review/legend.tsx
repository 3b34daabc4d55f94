import type { Change } from './review-changes.ts'

/** An explanation of these files' marks. */
export function Legend({ changes }: { readonly changes: readonly Change[] }) {
  const meanings = [
    {
      ...{ mark: 'RUNS LATER', icon: 'later', colour: 'warn', is: (each: Change) => each.runsLater !== null },
      text: 'Runs on this machine later. It must be selected separately.',
    },
    {
      ...{ mark: 'SECRET', icon: 'key', colour: 'bad', is: (each: Change) => each.secrets.length > 0 },
      text: 'Looks like a secret. It must be selected separately.',
    },
    {
      ...{ mark: 'BASE MOVED', icon: 'fail', colour: 'warn', is: (each: Change) => each.baseMoved },
      text: 'The project changed since the copy. Nothing is overwritten.',
    },
  ].filter(({ is }) => changes.some(is))
  return meanings.length === 0 ? null : (
    <ul className="stack small soft plainlist">
      {meanings.map(({ mark, icon, colour, text }) => (
        <li key={mark}>
          <span className={`mark ${colour}`}>
            <i className={`i i-${icon}`} />
            {mark}
          </span>{' '}
          {text}
        </li>
      ))}
    </ul>
  )
}

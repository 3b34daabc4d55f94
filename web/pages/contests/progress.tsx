import { Commands } from '../../parts/commands.tsx'
import { Link } from '../../parts/link.tsx'
import { many, span, usd } from '../../parts/shown-text.ts'
import { Bar, State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { isEndedTask, type Status, stateWord } from './status.ts'

/** The participants by stage and the judges by tasks, without scores. */
export function Progress({
  status,
  isRunning,
  work,
}: {
  readonly status: Status
  readonly isRunning: boolean
  /** The id of the contest if its changes can be applied, else null. */
  readonly work: string | null
}) {
  const { participants, judges, tasks, round, atWork } = status
  const ended = tasks.filter(isEndedTask).length
  const cost = [...Object.values(participants), ...tasks].reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  return (
    <section className="stack" aria-labelledby="round">
      <div className="row">
        <h2 id="round">Round {round}</h2>
        <span className="soft small">
          {many(Object.keys(participants).length, 'participant')}
          {tasks.length === 0 ? '' : ` · ${ended} of ${tasks.length} judge tasks`}
          {cost === 0 ? '' : ` · ${usd(cost)}`}
        </span>
      </div>
      <div className="two">
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>Stage</th>
                <th>Participant</th>
                <th>How it ended</th>
                <th className="n">Time</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(participants).map(([name, { state, outcome, durationMs, attempt }]) => (
                <tr key={name}>
                  <td>
                    <State of={stateWord(state, atWork)} />
                  </td>
                  <th scope="row" className="any">
                    <Foreign>{name}</Foreign>
                    {attempt < 2 ? null : <span className="soft small"> attempt {attempt}</span>}
                    {work === null || (state !== 'sealed' && state !== 'checked') ? null : (
                      <Link className="block small" to={`/contests/${work}/work/${name}`}>
                        Review and apply
                      </Link>
                    )}
                  </th>
                  <td className="wide">
                    <Ended outcome={outcome} />
                  </td>
                  <td className="n hide">{durationMs === null ? '–' : span(durationMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {Object.keys(judges).length === 0 ? null : (
          <div className="scroll">
            <table className="cards wrap">
              <thead>
                <tr>
                  <th>State</th>
                  <th>Judge</th>
                  <th>Tasks</th>
                  <th className="n">Time</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(judges).map(([name, { state, outcome, durationMs }]) => {
                  const own = tasks.filter(({ judge }) => judge === name)
                  const done = own.filter(isEndedTask).length
                  return (
                    <tr key={name}>
                      <td>
                        <State of={stateWord(state, atWork)} />
                      </td>
                      <th scope="row" className="any">
                        <Foreign>{name}</Foreign>
                        {state === 'failed' ? <Ended outcome={outcome} /> : null}
                      </th>
                      <td className="wide">
                        {own.length === 0 ? (
                          <span className="soft">–</span>
                        ) : (
                          <>
                            <Bar used={done} of={own.length} label={`${done} of ${own.length} tasks`} isShare />
                            {done} of {own.length}
                          </>
                        )}
                      </td>
                      <td className="n hide">{durationMs === null || durationMs === 0 ? '–' : span(durationMs)}</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {isRunning ? (
        <p className="soft small">
          <i className="i i-lock" /> Scores of this round stay sealed until the last judge task ends, so that nobody stops a contest when
          the order looks right.
        </p>
      ) : null}
    </section>
  )
}

function Ended({ outcome }: { readonly outcome: Status['participants'][string]['outcome'] }) {
  if (outcome === null) return <span className="soft">–</span>
  const { kind, message, hint } = outcome
  return (
    <>
      {kind.replaceAll('-', ' ')}
      {[message, hint].map((each) =>
        each === null ? null : (
          <span key={each} className="soft small block any">
            <Commands in={each} />
          </span>
        ),
      )}
    </>
  )
}

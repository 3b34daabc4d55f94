import type { operations } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Commands } from '../../parts/commands.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago, Until } from '../../parts/time.tsx'
import { LogIn } from './log-in.tsx'
import { loginUse } from './uses-login.ts'

type Credential = operations['listCredentials']['responses']['200']['content']['application/json']['items'][number]

const health = { good: 'healthy', renewable: 'healthy', soon: 'expires soon', ended: 'expired', unusable: 'unusable' } as const

/** The logins and keys of this machine, each with the agents that depend on it. */
export function Logins() {
  const credentials = useData(['credentials'], async () => dataOf(await api.GET('/api/v1/credentials')).items, { everyMs: 60_000 })
  const agents = useData(
    ['agents', 'manifests'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  const capabilities = useData(['capabilities'], async () => dataOf(await api.GET('/api/v1/capabilities')))
  const variables = new Map((capabilities.data?.agents ?? []).map((each) => [each.name, each.loginVariables]))
  const uses = (agents.data ?? []).map(({ name, manifest }) => {
    const cli = manifest.agent ?? ''
    return { name, cli, use: loginUse(manifest, variables.get(cli) ?? null) }
  })
  const users = (cli: string): readonly string[] => uses.filter((each) => each.cli === cli && each.use !== 'never').map(({ name }) => name)
  const known = new Set((credentials.data ?? []).map(({ agent }) => agent))
  const without = [...new Set(uses.filter(({ use }) => use === 'must').map(({ cli }) => cli))].filter((each) => !known.has(each))
  const others = uses.filter(({ cli, use }) => use === 'never' || (use === 'may' && !known.has(cli))).map(({ name }) => name)
  const isEmpty = credentials.data?.length === 0 && without.length === 0
  return (
    <section className="stack" aria-labelledby="logins">
      <div className="row">
        <h2 id="logins">Logins</h2>
        <span className="soft small">used by agent CLIs</span>
        <span className="end">
          <button className="btn" type="button" onClick={credentials.again}>
            <i className="i i-sync" />
            Check all
          </button>
        </span>
      </div>
      <Pending {...credentials} rows={3} />
      {isEmpty ? (
        <Empty icon="key" title="This machine has no logins for agents" command="paddock login claude">
          <p>Log in with a CLI as usual, or give Paddock a separate login. API keys of models are in the vault.</p>
        </Empty>
      ) : null}
      {credentials.data === null || isEmpty ? null : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>Health</th>
                <th>Agent</th>
                <th>Source</th>
                <th>Expires</th>
                <th>In a cell</th>
                <th>Used by</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {credentials.data.map((each) => (
                <Row key={`${each.agent} ${each.provider ?? ''} ${sourceText(each)}`} {...each} users={users(each.agent)} />
              ))}
              {without.map((each) => (
                <Missing key={each} agent={each} users={users(each)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {others.length === 0 ? null : (
        <p className="soft small">
          Not using a login of this machine: <Users names={others} />. Their manifests set a key or an endpoint, or they need none.
        </p>
      )}
    </section>
  )
}

function Row({ users, ...credential }: Credential & { readonly users: readonly string[] }) {
  const { agent, provider, kind, account, expiresAt, state, inCell, problem, hint, warnings } = credential
  return (
    <tr>
      <td>
        <State of={health[state]} />
      </td>
      <th scope="row">
        {agent}
        {provider === null ? null : <span className="soft"> {provider}</span>}
        <span className="soft small block">
          {kind === 'key' ? 'API key' : 'login'}
          {account === null ? null : (
            <>
              {' of '}
              <Foreign>{account}</Foreign>
            </>
          )}
        </span>
        {[problem, hint, ...warnings]
          .filter((each) => each !== null)
          .map((each) => (
            <span key={each} className="soft small block any">
              <Commands in={each} />
            </span>
          ))}
      </th>
      <td className="wide soft xs any from">
        <Foreign>{sourceText(credential)}</Foreign>
      </td>
      <td data-l="Expires">
        {expiresAt === null ? (
          'never'
        ) : Date.parse(expiresAt) < Date.now() ? (
          <>
            <Ago at={expiresAt} /> ago
          </>
        ) : (
          <>
            in <Until at={expiresAt} />
          </>
        )}
        {state === 'renewable' ? <span className="soft small block">renewed automatically</span> : null}
      </td>
      <td className="hide">{inCell ?? <span className="soft">not used in cells</span>}</td>
      <td className="wide">
        <Users names={users} />
      </td>
      <td className="wide">
        <LogIn agent={agent} users={users} isNeeded={state === 'ended' || state === 'unusable'} />
      </td>
    </tr>
  )
}

/** A CLI that has no login although agents of the fleet use it. */
function Missing({ agent, users }: { readonly agent: string; readonly users: readonly string[] }) {
  return (
    <tr>
      <td>
        <State of="no login" />
      </td>
      <th scope="row">
        {agent}
        <span className="soft small block">No login was found, so its jobs cannot start.</span>
      </th>
      <td className="hide">–</td>
      <td className="hide">–</td>
      <td className="hide">–</td>
      <td className="wide">
        <Users names={users} />
      </td>
      <td className="wide">
        <LogIn agent={agent} users={users} isNeeded />
      </td>
    </tr>
  )
}

function Users({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <span className="soft">no agent</span>
  return (
    <>
      {names.slice(0, 3).map((each, n) => (
        <span key={each}>
          {n > 0 ? ', ' : ''}
          <Link to={`/agents/${each}/jobs`}>{each}</Link>
        </span>
      ))}
      {names.length > 3 ? <span className="soft"> and {many(names.length - 3, 'other')}</span> : null}
    </>
  )
}

function sourceText({ source }: Credential): string {
  if (source === null) return 'unknown'
  if (source.kind === 'environment') return `the variable ${source.name} of the server`
  if (source.kind === 'volume') return `the volume ${source.name}, ${source.path}`
  return source.kind === 'file' ? source.path : source.kind
}

import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Copy } from '../../parts/copy.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { bytes } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Agent } from './agent-data.ts'

/** The files in the workspace that the agent keeps between jobs. */
export function Files({ agent }: { readonly agent: Agent }) {
  const isOwn = (agent.manifest.workspace ?? 'own') === 'own'
  return isOwn ? (
    <Own agent={agent} />
  ) : (
    <Empty icon="folder" title="It has no workspace">
      <p>It works in a project, or in copies of it. The page of each job shows what it changed.</p>
    </Empty>
  )
}

const kinds = { directory: 'folder', file: 'file', link: 'link', other: 'na' } as const

function Own({ agent }: { readonly agent: Agent }) {
  const [path, setPath] = useParameter('path')
  const [slot, setSlot] = useParameter('slot', '1')
  const looked = useData(['agent', agent.name, 'files', path, slot], async () =>
    dataOf(await api.GET('/api/v1/agents/{agent}/files', { params: { path: { agent: agent.id }, query: { path, slot: Number(slot) } } })),
  )
  const parts = path === '' ? [] : path.split('/')
  const { data } = looked
  const slots = agent.manifest.parallel ?? 1
  return (
    <section className="card" aria-label="Workspace">
      <header>
        <nav className="row" aria-label="Path">
          <button className="link" type="button" onClick={() => setPath('')}>
            Workspace
          </button>
          {parts.map((each, n) => (
            <span key={n}>
              /{' '}
              <button className="link" type="button" onClick={() => setPath(parts.slice(0, n + 1).join('/'))}>
                <Foreign>{each}</Foreign>
              </button>
            </span>
          ))}
        </nav>
        {slots === 1 ? null : (
          <select className="end w-sm" aria-label="Workspace" value={slot} onChange={(event) => setSlot(event.target.value)}>
            {Array.from({ length: slots }, (_, n) => (
              <option key={n} value={n + 1}>
                workspace {n + 1}
              </option>
            ))}
          </select>
        )}
      </header>
      {data === null || looked.problem !== null ? (
        <div className="pad">
          {path === '' && looked.problem !== null ? (
            <p className="soft">It has no workspace yet. Its first job creates it.</p>
          ) : (
            <Pending {...looked} />
          )}
        </div>
      ) : data.kind === 'file' ? (
        data.text === null ? (
          <p className="pad soft">{bytes(data.size)} that are not text.</p>
        ) : (
          <>
            <div className="pad row soft small">
              {bytes(data.size)}
              <span className="end">
                <Copy text={data.text} label="Copy the file" />
              </span>
            </div>
            <pre className="pad file">
              <Foreign>{data.text}</Foreign>
            </pre>
          </>
        )
      ) : (
        <>
          <ul className="files">
            {data.entries.map(({ name, kind, size, modifiedAt }) => (
              <li key={name}>
                <i className={`i i-${kinds[kind]}`} />
                {kind === 'directory' || kind === 'file' ? (
                  <button className="link grow path" type="button" onClick={() => setPath([...parts, name].join('/'))}>
                    <Foreign>{name}</Foreign>
                  </button>
                ) : (
                  <span className="grow path">
                    <Foreign>{name}</Foreign> <span className="soft small">{kind === 'link' ? 'a link (not followed)' : 'no file'}</span>
                  </span>
                )}
                <span className="soft small nw">{size === null ? '' : bytes(size)}</span>
                <span className="soft small nw desk">
                  <Ago at={modifiedAt} />
                </span>
              </li>
            ))}
          </ul>
          {data.entries.length === 0 ? <p className="pad soft">This directory is empty.</p> : null}
          {data.truncated ? <p className="pad soft">Only some of the entries are shown.</p> : null}
        </>
      )}
    </section>
  )
}

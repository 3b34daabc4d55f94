import { useState } from 'react'
import { stringify } from 'yaml'
import { changed, dataOf, Problem } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useDraft } from '../../parts/draft.ts'
import { Notice, Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { clock } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useMay } from '../../who.ts'
import { ManifestEditor } from '../manifest/editor.tsx'
import type { Agent } from './agent-data.ts'

/** The manifest of an agent as a form and as YAML. */
export function ManifestTab({ agent }: { readonly agent: Agent }) {
  const saved = textOf(agent.manifest)
  const [draft, setDraft, forget] = useDraft(`manifest ${agent.id}`)
  const [base, setBase] = useState(agent.version)
  const [theirs, setTheirs] = useState<{ readonly version: number; readonly text: string } | null>(null)
  const text = draft === '' ? saved : draft
  const isChanged = draft !== '' && draft !== saved
  const params = { path: { agent: agent.id }, header: { 'if-match': `"${isChanged ? base : agent.version}"` } }
  const save = async (yaml: string): Promise<void> => {
    const answer = await api.PUT('/api/v1/agents/{agent}', { params, body: { yaml } })
    if (answer.response.status === 412) {
      const now = dataOf(await api.GET('/api/v1/agents/{agent}', { params: { path: { agent: agent.id } } }))
      setTheirs({ version: now.version, text: textOf(now.manifest) })
      throw new Problem({ detail: 'Somebody else saved it in the meantime.', code: 'PRECONDITION_FAILED' })
    }
    const { name, version } = dataOf(answer)
    forget()
    setBase(version)
    setTheirs(null)
    changed(['agent'], ['agents'], ['fleet'])
    say(`Saved as version ${version}`)
    if (name !== agent.name) go(`/agents/${name}/manifest`)
  }
  return (
    <>
      {agent.waiting === null ? null : <WaitingManifest agent={agent} waiting={agent.waiting} />}
      {theirs === null ? null : (
        <Notice
          tone="warn"
          actions={
            <>
              <button
                className="btn"
                type="button"
                onClick={() => {
                  setDraft(theirs.text)
                  setBase(theirs.version)
                  setTheirs(null)
                }}
              >
                Use version {theirs.version}
              </button>
              <button
                className="btn"
                type="button"
                onClick={() => {
                  setBase(theirs.version)
                  setTheirs(null)
                }}
              >
                Keep mine
              </button>
            </>
          }
        >
          <b>Version {theirs.version} was saved while you were editing.</b> Yours is below. Theirs is:
          <pre className="asked">{theirs.text}</pre>
        </Notice>
      )}
      <ManifestEditor
        text={text}
        isNew={false}
        setText={(next) => {
          if (!isChanged) setBase(agent.version)
          setDraft(next)
        }}
        act="Save"
        save={save}
        about={
          agent.waiting === null ? (
            <>
              Version {agent.version}, saved {clock(agent.updatedAt)}. It takes effect with the next job. Running jobs keep the version that
              they started with.
            </>
          ) : (
            <>Version {agent.version} is waiting for an owner. A new version replaces it.</>
          )
        }
        onForget={isChanged ? forget : null}
      />
    </>
  )
}

/** The newest manifest, which waits for an owner: what it asks for, and for owners the decision. */
function WaitingManifest({ agent, waiting }: { readonly agent: Agent; readonly waiting: NonNullable<Agent['waiting']> }) {
  const mayDecide = useMay('owner')
  const { version } = agent
  const act = useAct(async (allowed: boolean) => {
    dataOf(await api.POST('/api/v1/agents/{agent}/approve', { params: { path: { agent: agent.id } }, body: { version, allowed } }))
    changed(['agent'], ['agents'], ['fleet'], ['inbox'])
    say(allowed ? `Version ${version} was approved` : `Version ${version} was rejected`)
  })
  return (
    <Notice
      tone="warn"
      actions={
        mayDecide ? (
          <>
            <button className="btn" type="button" disabled={act.isSending} onClick={() => act.run(false)}>
              Reject
            </button>
            <button className="btn main" type="button" disabled={act.isSending} onClick={() => act.run(true)}>
              Approve version {version}
            </button>
          </>
        ) : null
      }
    >
      <b>
        Version {version}, saved by {waiting.by}, waits for an owner.
      </b>{' '}
      {agent.isApproved ? 'Until then, the agent works with the manifest below.' : 'The agent works once it is approved.'} It asks for:
      <pre className="asked">
        <Foreign>{waiting.asks.join('\n')}</Foreign>
      </pre>
      <details>
        <summary>The whole manifest of version {version}</summary>
        <pre className="asked">
          <Foreign>{textOf(waiting.manifest)}</Foreign>
        </pre>
      </details>
      {act.problem === null ? null : <Trouble problem={act.problem} />}
    </Notice>
  )
}

/** Returns the manifest as a user would write it, which has no agent for kind model. */
function textOf({ name, agent, ...manifest }: Agent['manifest']): string {
  return stringify({ name, ...(manifest.kind === 'model' ? {} : { agent }), ...manifest }, { lineWidth: 0 })
}

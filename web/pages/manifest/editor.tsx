import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { dataOf, Problem } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Commands } from '../../parts/commands.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useMay } from '../../who.ts'
import { type Policy, PolicyWords } from '../agent/policy.tsx'
import { type Place, read, withValue } from './manifest-document.ts'
import { ManifestForm } from './manifest-form.tsx'
import { type ManifestProblem, problemsIn } from './manifest-problems.ts'

export interface EditorProps {
  readonly text: string
  readonly isNew: boolean
  readonly setText: (text: string) => void
  /** The label of the button. */
  readonly act: string
  /** Saves the manifest. @throws Problem with the server's message */
  readonly save: (text: string) => Promise<void>
  readonly about: ReactNode
  readonly onForget: (() => void) | null
}

/** Form and YAML of one manifest. When a field loses the focus, the server checks the manifest in the same way as on saving. */
export function ManifestEditor({ text, isNew, setText, act, save, about, onForget }: EditorProps) {
  const mayChange = useMay('operator')
  const [found, setFound] = useState<{
    readonly problems: readonly ManifestProblem[]
    readonly hint: string | null
    readonly policy: Policy | null
  }>({ problems: [], hint: null, policy: null })
  const document = read(text)
  // Two changes from one click build on each other.
  const latest = useRef(text)
  latest.current = text
  const set = (place: Place, value: unknown): void => {
    latest.current = withValue(latest.current, place, value)
    setText(latest.current)
  }
  const check = async (): Promise<void> => {
    try {
      const { problem, policy } = dataOf(await api.POST('/api/v1/manifests/check', { body: { yaml: clean(text) } }))
      setFound({ problems: problem === null ? [] : problemsIn(problem.message), hint: problem?.hint ?? null, policy })
    } catch {
      // The error is shown when the manifest is saved.
    }
  }
  const saving = useAct(async () => {
    try {
      await save(clean(text))
      setFound({ problems: [], hint: null, policy: null })
    } catch (error) {
      if (error instanceof Problem && error.code !== 'PRECONDITION_FAILED')
        setFound({ problems: problemsIn(error.message), hint: error.hint, policy: null })
      throw error
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; then whenever a field is left
  useEffect(() => {
    if (mayChange && !isNew) void check()
  }, [mayChange])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.run()
  }
  return (
    <form
      className="stack"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (mayChange) event.currentTarget.requestSubmit()
      }}
      onBlur={() => void (mayChange && text !== '' && check())}
    >
      {found.problems.length === 0 ? null : (
        <Notice tone="bad">
          <ul className="plainlist">
            {found.problems.map((each) => (
              <li key={each.text}>
                {each.line === null ? '' : `Line ${each.line}: `}
                <Commands in={each.text} />
              </li>
            ))}
          </ul>
          {found.hint === null ? null : (
            <span className="soft">
              <Commands in={found.hint} />
            </span>
          )}
        </Notice>
      )}
      {saving.problem === null || found.problems.length > 0 ? null : (
        <Notice tone="bad">
          <Commands in={saving.problem} />
        </Notice>
      )}
      <fieldset className="two" disabled={!mayChange}>
        <section className="card pad stack" aria-label="Form">
          <h2>Form</h2>
          {document === null ? (
            <p className="soft">The YAML cannot be read. Fix it there to use the form again.</p>
          ) : (
            <ManifestForm document={document} problems={found.problems} isNew={isNew} set={set} />
          )}
        </section>
        <section className="card pad stack" aria-label="YAML">
          <div className="row">
            <h2>
              <label htmlFor="yaml">YAML</label>
            </h2>
            <span className="end">
              <Copy text={text} label="Copy the YAML" />
            </span>
          </div>
          <textarea
            id="yaml"
            className="mono"
            spellCheck={false}
            rows={Math.min(40, Math.max(16, text.split('\n').length + 2))}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <p className="soft small">
            The form and the YAML show the same document. <code>paddock agent schema</code> lists every key.
          </p>
        </section>
      </fieldset>
      {mayChange ? (
        <div className="card pad row savebar">
          <span className="soft small grow desk">{about}</span>
          {onForget === null ? null : (
            <button className="btn" type="button" onClick={onForget}>
              Discard changes
            </button>
          )}
          <button className="btn main" type="submit" disabled={saving.isSending || text.trim() === ''}>
            {saving.isSending ? 'Saving …' : act} <kbd className="desk">Ctrl S</kbd>
          </button>
        </div>
      ) : (
        <p className="soft small">Values are shown as …. Only operators and owners can see them.</p>
      )}
      {found.policy === null ? null : <PolicyWords policy={found.policy} />}
    </form>
  )
}

/** Returns the text without the empty lines of lists that are being edited. */
function clean(text: string): string {
  return text.replace(/^\s*- ""\n/gm, '')
}

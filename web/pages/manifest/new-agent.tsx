import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useDraft } from '../../parts/draft.ts'
import { go } from '../../parts/page-address.ts'
import { say } from '../../parts/toast.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { ManifestEditor } from './editor.tsx'

const first = 'name: ""\nagent: claude\n'

/** Defines an agent, in the form or as YAML. */
export function NewAgent() {
  const [draft, setText, forget] = useDraft('new agent')
  const mayCreate = useMay('operator')
  const text = draft === '' ? first : draft
  const create = async (yaml: string): Promise<void> => {
    const { name } = dataOf(await api.POST('/api/v1/agents', { body: { yaml } }))
    forget()
    changed(['agents'], ['fleet'])
    say(`${name} was created and started`)
    go(`/agents/${name}/jobs`)
  }
  return (
    <Page title="New agent" crumbs={[{ to: '/fleet', title: 'Fleet' }]}>
      {mayCreate ? (
        <ManifestEditor
          text={text}
          isNew
          setText={setText}
          act="Create agent"
          save={create}
          about="It starts immediately."
          onForget={draft === '' ? null : forget}
        />
      ) : (
        <p>Only operators and owners can define agents.</p>
      )}
    </Page>
  )
}

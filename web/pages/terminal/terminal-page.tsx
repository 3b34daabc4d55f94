import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Page } from '../../shell/page.tsx'
import { Terminal } from './terminal.tsx'

/** One terminal, as large as the window. */
export function TerminalPage({ id }: { readonly id: string }) {
  // A terminal that has ended is not in the list, and a request for it would fail.
  const sessions = useData(['sessions'], async () => dataOf(await api.GET('/api/v1/sessions')).items)
  const agent = sessions.data?.find((each) => each.id === id)?.agent
  return (
    <Page
      title="Terminal"
      crumbs={agent === undefined ? [{ to: '/fleet', title: 'Fleet' }] : [{ to: `/agents/${agent}/terminal`, title: agent }]}
      flush
    >
      <Terminal session={id} />
    </Page>
  )
}

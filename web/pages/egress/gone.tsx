import { useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Notice } from '../../parts/notice.tsx'
import { clock } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { useMay } from '../../who.ts'
import { type Question, wish } from './approval-list.ts'
import { answerText } from './decided-by.ts'

const mostTries = 5

/** The outcome of a question that was not answered on this page. */
export function Gone({ question, onDismiss }: { readonly question: Question; readonly onDismiss: () => void }) {
  const isOwner = useMay('owner')
  // The log contains the person's name only shortly after the answer.
  const [tries, setTries] = useState(0)
  const found = useData(
    ['audit', 'answer', question.id],
    async () => {
      const query = { kind: 'approval.answered,fleet.approval', limit: 200 }
      const { items } = dataOf(await api.GET('/api/v1/audit', { params: { query } }))
      const answered = items.findLast(({ kind, data }) => kind === 'approval.answered' && data['id'] === question.id)
      const actor = items.findLast(({ kind, data }) => kind === 'fleet.approval' && data['approval'] === question.id)?.actor ?? null
      setTries((before) => (actor === null ? before + 1 : mostTries))
      if (answered === undefined) return null
      const { data, time } = answered
      const answer = { id: question.id, allowed: data['allowed'] === true, scope: String(data['scope']), by: String(data['by']), actor }
      return { text: answerText(answer), at: time }
    },
    { wanted: isOwner, ...(tries < mostTries ? { everyMs: 2_000 } : {}) },
  ).data
  return (
    <Notice
      tone="run"
      actions={
        <button className="btn" type="button" onClick={onDismiss}>
          Dismiss
        </button>
      }
    >
      <code>
        <Foreign>{wish(question)}</Foreign>
      </code>{' '}
      is no longer held: {found === null ? 'somebody else answered, or it timed out.' : `${found.text}, at ${clock(found.at)}.`}
    </Notice>
  )
}

import { useState } from 'react'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { bytes, many } from '../../parts/shown-text.ts'
import { say } from '../../parts/toast.tsx'

export type SuiteQuestion = 'cancel' | 'rejudge' | 'refine' | 'archive' | 'clean'

interface Asking {
  readonly directory: string
  readonly onClose: () => void
}

/** Asks before a command on a whole suite is started or ended. */
export function SuiteConfirm({ question, ...asking }: Asking & { readonly question: SuiteQuestion }) {
  if (question === 'cancel') return <Cancel {...asking} />
  if (question === 'clean') return <Clean {...asking} />
  if (question === 'archive') return <Archive {...asking} />
  return <Again {...asking} command={question} />
}

function Cancel({ directory, onClose }: Asking) {
  const cancel = useAct(async () => {
    dataOf(await api.POST('/api/v1/suites/cancel', { body: { directory } }))
    changed(['suites', directory])
    onClose()
  })
  return (
    <Confirm
      title="Cancel this command?"
      act="Cancel command"
      keep="Keep running"
      isSending={cancel.isSending}
      onAct={() => cancel.run()}
      onClose={onClose}
    >
      <p>Running participants and judges lose their work. Sealed work and scores are kept, and the same command continues later.</p>
      {cancel.problem === null ? null : <Trouble problem={cancel.problem} />}
    </Confirm>
  )
}

const texts = {
  rejudge: {
    title: 'Judge all contests again?',
    act: 'Rejudge suite',
    text: 'All judges judge each contest again, under new labels. The new scores replace the present ones in the report. This costs as much as judging did.',
  },
  refine: {
    title: 'Start another round?',
    act: 'Refine suite',
    text: 'Each participant continues from its own submission in each contest, and judges judge the new work. Earlier rounds are kept. This may cost as much as the first round.',
  },
} as const

function Again({ directory, onClose, command }: Asking & { readonly command: 'rejudge' | 'refine' }) {
  const start = useAct(async () => {
    dataOf(
      command === 'rejudge'
        ? await api.POST('/api/v1/suites/rejudge', { body: { directory, only: [] } })
        : await api.POST('/api/v1/suites/refine', { body: { directory, only: [], participants: [] } }),
    )
    changed(['suites', directory])
    onClose()
  })
  const { title, act, text } = texts[command]
  return (
    <Confirm title={title} act={act} isSending={start.isSending} onAct={() => start.run()} onClose={onClose}>
      <p>{text}</p>
      {start.problem === null ? null : <Trouble problem={start.problem} />}
    </Confirm>
  )
}

function Archive({ directory, onClose }: Asking) {
  const [withLogs, setWithLogs] = useState(false)
  const start = useAct(async () => {
    dataOf(await api.POST('/api/v1/suites/archive', { body: { directory, only: [], withLogs } }))
    changed(['suites', directory])
    onClose()
  })
  return (
    <Confirm title="Archive all contests?" act="Write archives" isSending={start.isSending} onAct={() => start.run()} onClose={onClose}>
      <div className="stack">
        <p>
          The results of each contest are written to one file in <code>report/archives</code> of the suite, to share. Archives that exist
          already are kept.
        </p>
        <label className="row">
          <input type="checkbox" checked={withLogs} onChange={(event) => setWithLogs(event.target.checked)} />
          Include transcripts and output of agents
        </label>
        {start.problem === null ? null : <Trouble problem={start.problem} />}
      </div>
    </Confirm>
  )
}

function Clean({ directory, onClose }: Asking) {
  const leftovers = useData(['suites', directory, 'leftovers'], async () =>
    dataOf(await api.GET('/api/v1/suites/leftovers', { params: { query: { directory } } })),
  )
  const found = (leftovers.data?.contests ?? []).flatMap(({ result }) => result?.removed ?? [])
  const clean = useAct(async () => {
    const { contests } = dataOf(await api.POST('/api/v1/suites/clean', { body: { directory, only: [] } }))
    const removed = contests.flatMap(({ result }) => result?.removed ?? [])
    changed(['suites', directory])
    say(`${many(removed.length, 'directory', 'directories')} removed, ${sizeOf(removed)}`)
    onClose()
  })
  return (
    <Confirm
      title="Clean all contests?"
      act="Clean suite"
      isSending={clean.isSending || leftovers.data === null}
      onAct={() => clean.run()}
      onClose={onClose}
    >
      <Pending {...leftovers} rows={1} />
      {leftovers.data === null ? null : (
        <p>
          {found.length === 0
            ? 'There is nothing to remove.'
            : `${many(found.length, 'directory', 'directories')} with ${sizeOf(found)} are removed: work directories that are sealed, and other copies. Seals, scores and reports are kept.`}
        </p>
      )}
      {clean.problem === null ? null : <Trouble problem={clean.problem} />}
    </Confirm>
  )
}

const sizeOf = (removed: readonly { readonly bytes: number }[]): string => bytes(removed.reduce((sum, each) => sum + each.bytes, 0))

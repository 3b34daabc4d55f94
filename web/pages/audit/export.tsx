import { useState } from 'react'
import { dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { count, many } from '../../parts/shown-text.ts'
import { say } from '../../parts/toast.tsx'
import type { AuditLine } from './use-lines.ts'

/** The most lines in one request, and in one file. */
const [page, most] = [1_000, 100_000]

/** Saves the filtered lines as JSON lines, oldest first, each exactly as in the log. */
export function Export({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const [read, setRead] = useState(0)
  const save = useAct(async () => {
    const pages: (readonly AuditLine[])[] = []
    let sum = 0
    let before: number | undefined
    for (let isEnd = false; !isEnd && sum < most; ) {
      const from: { readonly before?: number } = before === undefined ? {} : { before }
      const { items }: { readonly items: readonly AuditLine[] } = dataOf(
        await api.GET('/api/v1/audit', { params: { query: { ...query, ...from, limit: page } } }),
      )
      pages.unshift(items)
      sum += items.length
      setRead(sum)
      before = items[0]?.seq
      isEnd = items.length < page || before === undefined
    }
    const lines = pages.flat().map(({ origin: _origin, ...line }) => `${JSON.stringify(line)}\n`)
    const address = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }))
    const link = document.createElement('a')
    link.href = address
    link.download = `audit-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.jsonl`
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
    say(sum < most ? `${many(sum, 'line')} saved` : `Only the newest ${count(sum)} lines were saved`)
  })
  return (
    <>
      <button className="btn" type="button" disabled={save.isSending} onClick={() => save.run()}>
        {save.isSending ? `Reading ${count(read)} …` : 'Export'}
      </button>
      {save.problem === null ? null : (
        <span className="bad small" role="alert">
          {save.problem}
        </span>
      )}
    </>
  )
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { type AuditLine, type Decision, decisionKinds, decisionsIn } from './decisions.ts'

/** Milliseconds between two reads of the log while the page is visible. */
const everyMs = 2_000
/** The number of lines loaded at first, and the most lines kept. */
const [first, most] = [500, 2_000]

interface Log {
  readonly lines: readonly AuditLine[]
  /** New lines that arrived while updates were paused. */
  readonly waiting: readonly AuditLine[]
  readonly newest: number
}

export interface Decisions {
  readonly rows: readonly Decision[] | null
  /** The number of new decisions that are not shown yet. */
  readonly waiting: number
  readonly show: () => void
  readonly problem: string | null
  readonly again: () => void
}

/** Follows the decisions of all gateways. New ones are not shown while `isPaused`. */
export function useDecisions({
  agent,
  host,
  isPaused,
}: {
  readonly agent: string
  readonly host: string
  readonly isPaused: boolean
}): Decisions {
  const query = useMemo(
    () => ({ kind: decisionKinds, ...(agent === '' ? {} : { agent }), ...(host === '' ? {} : { host }) }),
    [agent, host],
  )
  const begun = useData(['audit', 'egress', agent, host], async () =>
    dataOf(await api.GET('/api/v1/audit', { params: { query: { ...query, limit: first } } })),
  )
  const [log, setLog] = useState<Log | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    setLog(begun.data === null ? null : { lines: begun.data.items, waiting: [], newest: begun.data.newest })
  }, [begun.data])
  const newest = log?.newest ?? null
  const reload = useRef(begun.again)
  reload.current = begun.again
  const again = useCallback(() => reload.current(), [])
  useEffect(() => {
    if (newest === null) return
    const look = async (): Promise<void> => {
      if (document.hidden) return
      try {
        const {
          items,
          whole,
          newest: read,
        } = dataOf(await api.GET('/api/v1/audit', { params: { query: { ...query, after: newest, limit: 1_000 } } }))
        setProblem(null)
        // If there are more lines than one read returns, or if the log was replaced, load the log again.
        if (!whole || read < newest) return again()
        setLog((before) => {
          if (before === null || before.newest !== newest) return before
          // Lines that were written during the first read are in both results.
          const last = before.lines.at(-1)?.seq ?? 0
          return { ...before, newest: read, waiting: [...before.waiting, ...items.filter(({ seq }) => seq > last)].slice(-most) }
        })
      } catch (error) {
        setProblem((error as Error).message)
      }
    }
    const timer = setInterval(() => void look(), everyMs)
    return () => clearInterval(timer)
  }, [newest, query, again])
  const show = useCallback(
    () =>
      setLog((before) =>
        before === null || before.waiting.length === 0
          ? before
          : { ...before, lines: [...before.lines, ...before.waiting].slice(-most), waiting: [] },
      ),
    [],
  )
  const waiting = useMemo(() => decisionsIn(log?.waiting ?? []).length, [log])
  useEffect(() => {
    if (!isPaused && waiting >= 0) show()
  }, [isPaused, waiting, show])
  const rows = useMemo(() => (log === null ? null : decisionsIn(log.lines)), [log])
  return { rows, waiting, show, problem: begun.problem ?? problem, again }
}

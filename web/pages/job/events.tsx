import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../parts/keys.ts'
import { useParameter } from '../../parts/page-address.ts'
import { count, many } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { Event } from './event.tsx'
import { isFailed, isShown, type Row, type Show } from './event-rows.ts'
import type { Transcript } from './transcript-lines.ts'

const shows: readonly (readonly [show: Show, word: string])[] = [
  ['all', 'Everything'],
  ['text', 'Text'],
  ['calls', 'Tool calls'],
  ['errors', 'Errors'],
]
/** The distance from the end in pixels within which a reader counts as being at the end. */
const nearEnd = 120

/** The events of a job as rows. The view follows the end only while the reader is there. */
export function Events({
  transcript,
  startedAt,
  isRunning,
  isPlain,
  why,
}: {
  readonly transcript: Transcript
  readonly startedAt: number
  readonly isRunning: boolean
  readonly isPlain: boolean
  /** Why the job ended, if its outcome says so. */
  readonly why: string | null
}) {
  const { rows, version, left } = transcript
  const [show, setShow] = useParameter('show', 'all')
  const [words, setWords] = useParameter('find')
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [isUnfolded, setUnfolded] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows change in place, and the version says so
  const shown = useMemo((): readonly Row[] => {
    const isAll = show === 'all' && words === ''
    return isAll ? [...rows.all] : rows.all.filter((each) => isShown(each, show as Show, words.toLowerCase()))
  }, [rows, version, show, words])
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => 44,
    overscan: 12,
    scrollMargin: margin,
    getItemKey: (n) => shown[n]?.n ?? n,
  })
  const [isFollowing, setFollowing] = useState(isRunning && location.hash === '')
  const [seen, setSeen] = useState(0)
  const goTo = useCallback((place: number) => virtual.scrollToIndex(place, { align: 'center' }), [virtual])
  const end = useCallback(() => {
    setFollowing(true)
    scrollTo({ top: document.documentElement.scrollHeight })
  }, [])
  useEffect(() => {
    const onScroll = (): void => setFollowing(innerHeight + scrollY >= document.documentElement.scrollHeight - nearEnd)
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  const total = virtual.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to the end whenever there is more
  useLayoutEffect(() => {
    if (!isFollowing) return
    if (isRunning) scrollTo({ top: document.documentElement.scrollHeight })
    setSeen(shown.length)
  }, [isFollowing, isRunning, shown.length, total])
  useHash(shown, goTo)
  const failed = (by: 1 | -1) => (): void => {
    const range = virtual.range
    const middle = range === null ? 0 : Math.floor((range.startIndex + range.endIndex) / 2)
    const places = shown.flatMap((each, place) => (isFailed(each) ? [place] : []))
    const next = by > 0 ? places.find((each) => each > middle) : places.findLast((each) => each < middle)
    if (next !== undefined) goTo(next)
  }
  useKeys({
    G: end,
    e: failed(1),
    E: failed(-1),
    f: () => {
      setToggled(new Map())
      setUnfolded(!isUnfolded)
    },
    '/': () => search.current?.focus(),
  })
  const onToggle = useCallback((n: number, isOpen: boolean) => setToggled((before) => new Map(before).set(n, isOpen)), [])
  const numbers: Readonly<Record<string, number>> = { all: rows.all.length, text: rows.texts, calls: rows.calls, errors: rows.failed }
  const unseen = shown.length - seen
  return (
    <section aria-label="Text and tool calls">
      <div className="row">
        <fieldset className="chips grow" aria-label="Show">
          {shows.map(([each, word]) => (
            <button key={each} className="chip" type="button" aria-pressed={show === each} onClick={() => setShow(each)}>
              {word} <span className="n">{count(numbers[each] ?? 0)}</span>
            </button>
          ))}
        </fieldset>
        <input
          ref={search}
          className="w-md desk"
          type="search"
          aria-label="Search in this job"
          placeholder="Search in this job  /"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {left > 0 ? (
        <p className="soft small" role="status">
          {many(left, 'event')} {left === 1 ? 'is' : 'are'} still coming …
        </p>
      ) : null}
      <div
        ref={list}
        className="events"
        role="log"
        aria-live="off"
        aria-label="Events"
        style={{ height: total, position: 'relative', display: 'block' }}
      >
        {virtual.getVirtualItems().map((each) => {
          const row = shown[each.index]
          return row === undefined ? null : (
            <div
              key={each.key}
              data-index={each.index}
              ref={virtual.measureElement}
              className="place"
              style={{ transform: `translateY(${each.start - margin}px)` }}
            >
              <Event
                row={row}
                startedAt={startedAt}
                isOpen={toggled.get(row.n) ?? (isUnfolded || isFailed(row))}
                onToggle={onToggle}
                isPlain={isPlain}
              />
            </div>
          )
        })}
      </div>
      {shown.length === 0 && left === 0 ? (
        <p className="soft">
          {rows.all.length > 0 ? 'No events match.' : isRunning ? 'It has not printed anything yet.' : 'It ended without any events.'}
          {rows.all.length > 0 || why === null ? null : (
            <>
              {' '}
              The reason: <Foreign>{why}</Foreign>
            </>
          )}
        </p>
      ) : null}
      {isFollowing || unseen <= 0 || !isRunning ? null : (
        <p className="followbar">
          <button className="btn follow" type="button" onClick={end}>
            <i className="i i-down" />
            {many(unseen, 'new event')}. Follow <kbd>G</kbd>
          </button>
        </p>
      )}
    </section>
  )
}

/** Scrolls to the event in the URL, once it is loaded. */
function useHash(shown: readonly Row[], goTo: (place: number) => void): void {
  const done = useRef('')
  useEffect(() => {
    const n = Number(/^#e(\d+)$/.exec(location.hash)?.[1] ?? Number.NaN)
    if (Number.isNaN(n) || done.current === location.hash) return
    const place = shown.findLastIndex((each) => each.n <= n)
    if (place < 0 || (shown.at(-1)?.n ?? 0) < n) return
    done.current = location.hash
    goTo(place)
  }, [shown, goTo])
}

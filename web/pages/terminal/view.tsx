import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../page-session.ts'
import { go } from '../../parts/page-address.ts'
import { EndDialog, LinkDialog, TextDialog } from './dialogs.tsx'
import { Ended } from './ended.tsx'
import { Header, type Status } from './header.tsx'
import { controlled, KeysBar } from './keys.tsx'
import { type Line, Notice, useBlocked } from './notices.tsx'
import { SearchBar } from './search.tsx'
import type { Company, FromServer, Size } from './terminal-frames.ts'
import { Screen } from './terminal-screen.ts'
import { changeFontSize, fontSize, isForScreenReader, onForScreenReader, setForScreenReader } from './terminal-settings.ts'
import { Connection } from './terminal-socket.ts'

/** The time in milliseconds for which the result of an action is shown. */
const briefMs = 6_000

interface Facts {
  readonly agent: string
  readonly command: string
}

/** A terminal of an agent: the typing viewer, the screen, and the actions. */
export function View({ session }: { readonly session: string }) {
  const box = useRef<HTMLDivElement>(null)
  const header = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen | null>(null)
  const connection = useRef<Connection | null>(null)
  const company = useRef<Company | null>(null)
  const control = useRef(false)
  const [facts, setFacts] = useState<Facts | null>(null)
  const [status, setStatus] = useState<Status>('connecting')
  const [shownCompany, setShownCompany] = useState<Company | null>(null)
  const [size, setSize] = useState<Size | null>(null)
  const [end, setEnd] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [line, setLine] = useState<Line | null>(null)
  const [said, setSaid] = useState('')
  const [link, setLink] = useState<URL | null>(null)
  const [text, setText] = useState<{ readonly sentence?: string; readonly text: string } | null>(null)
  const [dialog, setDialog] = useState<'end' | 'search' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [found, setFound] = useState<{ place: number; count: number } | null>(null)
  const [hasControl, setHasControl] = useState(false)
  const [textSize, setTextSize] = useState(fontSize)
  const [forReader, setForReader] = useState(isForScreenReader)
  const { blocked, onBlocked, dismiss } = useBlocked()
  const blockedRef = useRef(onBlocked)
  blockedRef.current = onBlocked

  const announce = useCallback((icon: string, sentence: string, isBrief = false): void => {
    setLine({ icon, sentence, isBrief })
    setSaid(sentence)
  }, [])
  useEffect(() => {
    if (line?.isBrief !== true) return
    const timer = setTimeout(() => setLine(null), briefMs)
    return () => clearTimeout(timer)
  }, [line])
  const setControl = useCallback((value: boolean): void => {
    control.current = value
    setHasControl(value)
  }, [])

  useEffect(() => {
    void api.GET('/api/v1/sessions/{session}', { params: { path: { session } } }).then(
      ({ data }) => data !== undefined && setFacts({ agent: data.agent, command: data.command.join(' ') }),
      () => undefined,
    )
  }, [session])

  useEffect(() => {
    const { current: place } = box
    if (place === null) return
    let isFirst = true
    const met = (next: Company): void => {
      const before = company.current
      company.current = next
      setShownCompany(next)
      const change = before === null ? null : changeOf(before, next)
      if (change !== null) announce('keys', change, next.isYou)
    }
    const setTyping = (isLive: boolean): void => {
      shown.isTypedIn = isLive && company.current?.isYou === true
    }
    const shown = new Screen(place, fontSize(), isForScreenReader(), {
      typed: (bytes) => {
        if (company.current?.isYou !== true) return
        const other = control.current ? controlled(new TextDecoder().decode(bytes)) : null
        setControl(false)
        connected.type(other === null ? bytes : new TextEncoder().encode(other))
      },
      read: (bytes, isAll) => connected.read(bytes, isAll),
      blocked: (each) => blockedRef.current(each),
      link: setLink,
      leave: () => header.current?.focus(),
      copied: (each) => void copy(each).then((sentence) => announce('clip', sentence, true)),
      tooLong: () => announce('clip', 'The paste is over 256 KiB, and the program may not read it in time. Put it into a file.'),
      found: (index, count) => setFound({ place: index, count }),
    })
    const connected = new Connection(session, () => shown.fits, {
      bytes: (bytes) => shown.write(bytes),
      frame: (frame: FromServer) => {
        switch (frame.type) {
          case 'screen':
            setStatus('catching up')
            met(frame)
            setSize({ columns: frame.columns, rows: frame.rows })
            return shown.reset(frame)
          case 'live':
            return shown.after(() => {
              setStatus('live')
              setTyping(true)
              resized()
              if (isFirst && company.current?.isYou === true) shown.focus()
              isFirst = false
            })
          case 'size':
            setSize({ columns: frame.columns, rows: frame.rows })
            return shown.resize(frame)
          case 'company':
            met(frame)
            return setTyping(true)
          case 'slow':
            return
          case 'ended':
            setTyping(false)
            setStatus('ended')
            return setEnd(frame.why)
        }
      },
      lost: () => {
        setTyping(false)
        setStatus('offline')
      },
      refused: (why) => {
        setTyping(false)
        setStatus('ended')
        setRefused(why)
      },
    })
    let told = ''
    const resized = (): void => {
      const { columns, rows } = shown.fits
      if (told === `${columns} ${rows}`) return
      told = `${columns} ${rows}`
      connected.say({ type: 'size', columns, rows })
    }
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(resized)
    })
    observer.observe(place)
    const ended = onForScreenReader(setForReader)
    screen.current = shown
    connection.current = connected
    return () => {
      ended()
      cancelAnimationFrame(frame)
      observer.disconnect()
      connected.close()
      shown[Symbol.dispose]()
      company.current = null
    }
  }, [session, announce, setControl])

  useEffect(() => {
    if (screen.current !== null) screen.current.isForScreenReader = forReader
  }, [forReader])

  const agentPage = facts === null ? '/fleet' : `/agents/${encodeURIComponent(facts.agent)}/terminal`
  const closeSearch = (): void => {
    setDialog(null)
    setFound(null)
    screen.current?.endSearch()
    screen.current?.focus()
  }
  const endTerminal = async (): Promise<void> => {
    setSending(true)
    setProblem(await failureOf(api.DELETE('/api/v1/sessions/{session}', { params: { path: { session } } })))
    setSending(false)
  }
  const quiet = blocked === null || blocked.kind === 'clipboard' ? null : blocked
  const actions = {
    showQuiet: () => {
      if (quiet !== null) setText({ sentence: quiet.sentence, text: quiet.text ?? '' })
      dismiss()
    },
    take: () => {
      connection.current?.say({ type: 'take' })
      screen.current?.focus()
    },
    release: () => connection.current?.say({ type: 'release' }),
    detach: () => go(agentPage),
    search: () => setDialog('search'),
    end: () => setDialog('end'),
    copy: () => void copy(screen.current?.text ?? '').then((sentence) => announce('clip', sentence, true)),
    paste: () =>
      void navigator.clipboard.readText().then(
        (each) => {
          screen.current?.paste(each)
          screen.current?.focus()
        },
        () => announce('clip', 'The browser does not let this page read the clipboard. Paste with Ctrl ⇧ V.'),
      ),
    resizeText: (by: number) => {
      const next = changeFontSize(by)
      setTextSize(next)
      if (screen.current !== null) screen.current.fontSize = next
    },
    setForScreenReader: (value: boolean) => {
      setForScreenReader(value)
      setForReader(value)
    },
  }
  const lines: readonly [Line, () => void][] = [
    ...(blocked?.kind !== 'clipboard' ? [] : [[{ icon: 'shield', isWarning: true, ...blocked }, dismiss] as [Line, () => void]]),
    ...(line === null ? [] : [[line, () => setLine(null)] as [Line, () => void]]),
  ]
  const isOpen = status !== 'ended'
  return (
    <section className="terminal" aria-label={facts === null ? 'Terminal' : `Terminal of ${facts.agent}`}>
      <Header
        {...{ session, status, size, quiet, actions }}
        agent={facts?.agent ?? null}
        company={shownCompany}
        fontSize={textSize}
        forScreenReader={forReader}
        focusRef={header}
      />
      <p className="sr" role="status">
        {said}
      </p>
      <div className="stage">
        {dialog === 'search' ? (
          <SearchBar found={found} onSearch={(each, direction) => screen.current?.search(each, direction)} onClose={closeSearch} />
        ) : null}
        <div className="lines">
          {lines.map(([each, onDismiss]) => (
            <Notice key={each.icon} line={each} onShow={(shown) => setText({ text: shown })} onDismiss={onDismiss} />
          ))}
        </div>
        {/* The terminal handles its own keys. */}
        <div className={`screen${shownCompany?.isYou === true ? '' : ' theirs'}`} ref={box} />
        {isOpen ? null : <Ended agent={facts?.agent ?? null} why={refused ?? end ?? ''} mayOpen={shownCompany?.mayType !== false} />}
      </div>
      {isOpen && shownCompany?.isYou === true ? (
        <KeysBar
          onPress={(keys) => screen.current?.press(keys)}
          isApplication={() => screen.current?.modes.applicationCursorKeysMode === true}
          hasControl={hasControl}
          onControl={() => setControl(!control.current)}
        />
      ) : null}
      {link === null ? null : <LinkDialog url={link} onClose={() => setLink(null)} />}
      {text === null ? null : <TextDialog {...text} onClose={() => setText(null)} />}
      {dialog === 'end' && facts !== null && isOpen ? (
        <EndDialog
          {...facts}
          {...{ problem, isSending }}
          others={(shownCompany?.viewers ?? 1) - 1}
          onEnd={() => void endTerminal()}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </section>
  )
}

/** Returns a sentence if the request failed, else null. */
async function failureOf(answer: Promise<{ readonly error?: unknown }>): Promise<string | null> {
  try {
    const { error } = await answer
    if (error === undefined) return null
    return (error as { readonly detail?: string }).detail ?? 'The server refused it.'
  } catch {
    return 'The server does not answer.'
  }
}

/** Returns a sentence about a change of the typing viewer, or null if there was none. */
function changeOf(before: Company, after: Company): string | null {
  if (before.isYou === after.isYou && before.typist === after.typist) return null
  if (after.isYou) return 'You are now in control. The size is yours.'
  if (after.typist === null) return before.isYou ? 'You handed over. Nobody is in control.' : 'Nobody is in control.'
  return before.isYou ? `${after.typist} took control. The size is theirs.` : `${after.typist} is in control.`
}

async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied.'
  } catch {
    return 'The browser does not let this page write to the clipboard.'
  }
}

import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openScreen, scrollback } from '../../src/fleet/sessions/kept-screen.ts'
import type { ToViewer } from '../../src/fleet/sessions/viewer-frames.ts'
import { type Figure, median } from '../measure.ts'
import { ask, type BenchPlace, type BenchServer, endHosts, startServer } from './server.ts'

/** A viewer that passes on the bytes it gets. The host process knows which ones arrived if the viewer acknowledges them. */
interface Viewer {
  readonly socket: WebSocket
  readonly open: Promise<void>
  readonly closed: Promise<number>
}

function view(
  { url, token }: BenchServer,
  session: string,
  query: string,
  bytes: (data: Buffer) => void,
  frame: (frame: ToViewer) => void = () => undefined,
): Viewer {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/api/v1/sessions/${session}/terminal?columns=80&rows=24&${query}`,
    ['paddock.v1'],
    {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    },
  )
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) bytes(data)
    else frame(JSON.parse(data.toString('utf8')) as ToViewer)
  })
  return {
    socket,
    open: new Promise((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.on('error', reject)
    }),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  }
}

/** Runs a server with idle agents and with terminals that each print `rows` numbered rows after input, with a pause after each 500. */
async function withTerminals(
  place: BenchPlace,
  name: string,
  { terminals, rows, pauseS }: { terminals: number; rows: number; pauseS: number },
  use: (server: BenchServer, sessions: readonly string[]) => Promise<Figure[]>,
): Promise<Figure[]> {
  const data = path.join(place.root, name)
  const server = await startServer(place, data)
  const sessions: string[] = []
  const perAgent = 10
  // As fast as builds and tests print.
  const row = 'row %06.0f of this terminal, and some more words to make it as long as rows are'
  const script = `read -r _; i=0; while [ $i -lt ${rows} ]; do seq -f '${row}' $((i + 1)) $((i + 500)); i=$((i + 500)); sleep ${pauseS}; done; echo over; exec cat`
  try {
    for (let each = 0; each < terminals; each += 1) {
      const agent = `agent-${Math.floor(each / perAgent)}`
      if (each % perAgent === 0)
        await ask(server, 'POST', '/agents', { manifest: { name: agent, agent: 'command', command: ['true'], egress: { policy: 'off' } } })
      const size = { columns: 80, rows: 24 }
      const { id } = await ask<{ id: string }>(server, 'POST', `/agents/${agent}/sessions`, { command: ['sh', '-c', script], size })
      sessions.push(id)
    }
    return await use(server, sessions)
  } finally {
    await server.stop('SIGTERM')
    endHosts(data)
  }
}

/** Tests many terminals with many viewers, some of which read nothing: the others miss nothing, and those are disconnected. */
export function terminals(
  place: BenchPlace,
  { count, viewers, slow, rows }: { count: number; viewers: number; slow: number; rows: number },
): Promise<Figure[]> {
  return withTerminals(place, 'terminals', { terminals: count, rows, pauseS: 0.6 }, async (server, sessions) => {
    const session = (each: number): string => sessions[each % sessions.length] ?? ''
    let whole = 0
    const reading = Array.from({ length: viewers - slow }, (_, each) => {
      const parts: Buffer[] = []
      let end: () => void
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const viewer = view(server, session(each), `takes=${each < count}`, (data) => {
        parts.push(data)
        if (!parts.slice(-6).join('').endsWith('over\r\n')) return
        const seen = [
          ...Buffer.concat(parts)
            .toString('latin1')
            .matchAll(/row (\d{6}) of this/g),
        ].map(([, number]) => Number(number))
        if (seen.length === rows && seen.every((number, index) => number === index + 1)) whole += 1
        end()
      })
      return { ...viewer, over }
    })
    // They claim to acknowledge what they read, as pages do, and never do.
    const sleeping = Array.from({ length: slow }, (_, each) =>
      view(server, session(each), 'acknowledges=true&takes=false', () => undefined),
    )
    await Promise.all([...reading, ...sleeping].map(({ open }) => open))
    const began = performance.now()
    for (const { socket } of reading.slice(0, count)) socket.send(Buffer.from('\n'))
    await Promise.race([Promise.all(reading.map(({ over }) => over)), setTimeout(120_000)])
    const seconds = (performance.now() - began) / 1000
    const cut = await Promise.race([Promise.all(sleeping.map(({ closed }) => closed)), setTimeout(60_000, [])])
    for (const { socket } of reading) socket.terminate()
    return [
      {
        name: `${count} terminals, ${rows} rows each, ${viewers} viewers`,
        value: `${whole} of ${reading.length} got all in order, after ${seconds.toFixed(1)} s; ${cut.length} of ${slow} that read nothing were cut off`,
        bar: 'nothing missing, slow ones cut off',
        met: whole === reading.length && cut.length === slow,
      },
    ]
  })
}

/** Measures the time to show a terminal with all its lines, compared to copying them between two terminals in one process. */
export function attach(place: BenchPlace, { times }: { times: number }): Promise<Figure[]> {
  const size = { columns: 80, rows: 24 }
  return withTerminals(place, 'attach', { terminals: 1, rows: 2 * scrollback, pauseS: 0 }, async (server, [session = '']) => {
    /** Attaches once. Returns the received bytes, what a terminal shows for them, and the milliseconds until they were read. */
    const once = async (): Promise<{ bytes: Buffer; shown: Buffer; ms: number }> => {
      const began = performance.now()
      using screen = openScreen(size, () => undefined)
      const parts: Buffer[] = []
      const { promise: live, resolve: isLive } = Promise.withResolvers<void>()
      let read = Promise.resolve()
      const viewer = view(
        server,
        session,
        'takes=false',
        (data) => {
          parts.push(data)
          read = read.then(() => screen.write(data))
        },
        ({ type }) => {
          if (type === 'live') isLive()
        },
      )
      await live
      await read
      const ms = performance.now() - began
      viewer.socket.terminate()
      return { bytes: Buffer.concat(parts), shown: screen.snapshot(), ms }
    }
    const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
    const typist = view(server, session, 'takes=true', (data) => {
      if (data.includes('over\r\n')) isOver()
    })
    await typist.open
    typist.socket.send(Buffer.from('\n'))
    await over
    typist.socket.terminate()
    const [attached, alone]: [number[], number[]] = [[], []]
    let equal = 0
    let bytes = 0
    for (let each = 0; each < times; each += 1) {
      const { bytes: came, shown, ms } = await once()
      attached.push(ms)
      bytes = came.length
      if (came.equals(shown)) equal += 1
      using held = openScreen(size, () => undefined)
      await held.write(came)
      const began = performance.now()
      using screen = openScreen(size, () => undefined)
      await screen.write(held.snapshot())
      alone.push(performance.now() - began)
    }
    const [with_, without] = [median(attached), median(alone)]
    return [
      {
        name: `attach to a terminal with ${scrollback} lines (${(bytes / 1024).toFixed(0)} KiB)`,
        value: `${with_.toFixed(0)} ms, reading the lines of a terminal of the same process ${without.toFixed(0)} ms: ${(with_ / without).toFixed(2)}; ${equal} of ${times} the same on both sides`,
        bar: 'at most 3 times, all the same',
        met: with_ / without <= 3 && equal === times,
      },
    ]
  })
}

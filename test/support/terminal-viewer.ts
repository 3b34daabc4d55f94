import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openScreen, type Screen } from '../../src/fleet/sessions/kept-screen.ts'
import type { FromViewer, TakenFrame, ToViewer } from '../../src/fleet/sessions/viewer-frames.ts'
import type { FleetServer } from './fleet-server.ts'

/** A viewer of a terminal over a real socket, with its own terminal emulator. */
export interface Viewer {
  readonly socket: WebSocket
  readonly frames: ToViewer[]
  /** Returns the current screen as bytes that would draw it again. */
  shown(): Promise<string>
  /** Waits until the screen shows this. */
  sees(text: string | RegExp): Promise<void>
  type(text: string): void
  say(frame: FromViewer | TakenFrame): void
  /** Resolves to the close code of the server. */
  readonly closed: Promise<number>
}

/** Connects with a token; rejects with the status if the server refuses. */
export async function viewTerminal(fleet: FleetServer, token: string, session: string, query = 'columns=80&rows=24'): Promise<Viewer> {
  const url = `${fleet.url.replace('http', 'ws')}/api/v1/sessions/${session}/terminal?${query}`
  const socket = new WebSocket(url, ['paddock.v1'], { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false })
  const frames: ToViewer[] = []
  let screen: Screen | null = null
  let work = Promise.resolve()
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    work = work.then(async () => {
      if (isBinary) return screen?.write(data)
      const frame = JSON.parse(data.toString('utf8')) as ToViewer
      frames.push(frame)
      if (frame.type === 'screen') {
        screen?.[Symbol.dispose]()
        screen = openScreen({ columns: frame.columns, rows: frame.rows }, () => undefined)
      } else if (frame.type === 'size') screen?.resize(frame)
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, answer) => reject(new Error(String(answer.statusCode))))
    socket.on('error', reject)
  })
  const shown = async (): Promise<string> => {
    await work
    return screen?.snapshot().toString() ?? ''
  }
  return {
    socket,
    frames,
    shown,
    async sees(text) {
      for (let tries = 0; tries < 800; tries++) {
        const now = await shown()
        if (typeof text === 'string' ? now.includes(text) : text.test(now)) return
        await setTimeout(25)
      }
      throw new Error(`it never showed ${text}: ${await shown()}`)
    },
    type: (text) => socket.send(Buffer.from(text)),
    say: (frame) => socket.send(JSON.stringify(frame)),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  }
}

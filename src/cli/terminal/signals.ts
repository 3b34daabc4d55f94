import { Socket } from 'node:net'
import { exitCodes } from '../../base/errors.ts'

/** The signals with which a user ends a command. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type EndSignal = (typeof endSignals)[number]
type Handler = (signal: EndSignal) => void

const handlers: Handler[] = []

/** Sets the handler for signals that end a command. Only the newest handler is called. Returns a function that removes this handler. */
export function onEndSignal(handler: Handler): () => void {
  handlers.push(handler)
  return () => {
    const at = handlers.lastIndexOf(handler)
    if (at >= 0) handlers.splice(at, 1)
  }
}

/** Lets a signal end this process when everything else is done, so that its caller sees the signal (wait(2)). */
export function endBySignal(signal: EndSignal): void {
  process.once('exit', () => {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * Listens for the signals that end a command. Without a handler, each ends this process with 130. A launcher under an older Node forwards
 * its signals through a channel, whose end counts as SIGHUP. A signal to the whole process group arrives both ways and counts once.
 */
export function listenForSignals(env: NodeJS.ProcessEnv): void {
  const counts = new Map<string, number>()
  const heard = (signal: EndSignal, from: 'kernel' | 'launcher'): void => {
    const count = (counts.get(`${from} ${signal}`) ?? 0) + 1
    counts.set(`${from} ${signal}`, count)
    if (count <= (counts.get(signal) ?? 0)) return
    counts.set(signal, count)
    deliver(signal)
  }
  for (const each of endSignals) process.on(each, () => heard(each, 'kernel'))
  const channel = Number(env['PADDOCK_LAUNCHER'] ?? Number.NaN)
  delete env['PADDOCK_LAUNCHER']
  if (!Number.isInteger(channel) || channel < 3) return
  const launcher = new Socket({ fd: channel, readable: true, writable: false })
  launcher.unref()
  let line = ''
  launcher.setEncoding('latin1').on('data', (chunk: string) => {
    const lines = (line + chunk).split('\n')
    line = lines.pop() ?? ''
    for (const each of endSignals) for (const sent of lines) if (sent === each) heard(each, 'launcher')
  })
  launcher.on('error', () => undefined).on('close', () => deliver('SIGHUP'))
}

function deliver(signal: EndSignal): void {
  const handler = handlers.at(-1)
  if (handler === undefined) process.exit(exitCodes.cancelled)
  handler(signal)
}

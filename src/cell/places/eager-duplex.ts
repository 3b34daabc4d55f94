import { Duplex, type Readable, type Writable } from 'node:stream'

/** The two directions of a transport to another machine: a socket twice, or the pipes of a program. */
export interface Transport {
  readonly readable: Readable
  readonly writable: Writable
}

/** Bytes that may wait in a transport. An honest peer announces far smaller windows. */
const mostWaiting = 32 * 1024 ** 2

/**
 * Joins a transport for HTTP/2. It takes every write at once: Node's HTTP/2 reads nothing while a write is in progress, so two sides whose
 * transports are both full would wait for each other for ever. What waits is bounded by the windows of the peer; a peer that announces
 * windows and does not read is cut off.
 * @param onBroken called once when the transport cannot go on. The caller ends its session, which destroys the duplex: Node's adapter of
 * streams throws if the stream below a session is destroyed first.
 * @param most bytes that may wait to be sent.
 */
export function eagerDuplex({ readable, writable }: Transport, onBroken: (error: Error) => void, most: number = mostWaiting): Duplex {
  let isBroken = false
  const fail = (error: Error): void => {
    if (isBroken) return
    isBroken = true
    onBroken(error)
  }
  const duplex = new Duplex({
    read: () => void readable.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (!isBroken) writable.write(chunk)
      // Not within a write, because the end of a session writes too.
      if (writable.writableLength > most) setImmediate(fail, new Error('the other side does not read'))
      done()
    },
    final: (done) => void writable.end(() => done()),
    destroy(error, done) {
      isBroken = true
      readable.destroy()
      writable.destroy()
      done(error)
    },
  })
  readable.on('data', (chunk: Buffer) => {
    if (!isBroken && !duplex.push(chunk)) readable.pause()
  })
  readable.once('end', () => fail(new Error('the other side has closed the connection')))
  for (const each of new Set([readable, writable])) each.on('error', fail).once('close', () => fail(new Error('the connection was closed')))
  return duplex
}

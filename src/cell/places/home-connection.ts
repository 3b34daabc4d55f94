import type { ServerHttp2Stream } from 'node:http2'
import { type ClientStream, clientStream } from '../../egress/connection/client-stream.ts'
import { connectionFields } from './place-wire.ts'

/** One connection of a home, over which the cells that it follows reach other machines. */
export class HomeConnection {
  /** Ids of trees that it has sent and that no cell has. */
  readonly trees = new Set<string>()
  readonly #parked = new Set<ServerHttp2Stream>()
  readonly #waiting = new Set<(stream: ServerHttp2Stream) => void>()

  /** Keeps a stream that home has opened for a connection to come. */
  park(stream: ServerHttp2Stream): void {
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      return next(stream)
    }
    this.#parked.add(stream)
    stream.once('close', () => this.#parked.delete(stream))
  }

  /** Returns a stream to home that names the destination of a connection. Rejects if home parks none before the signal. */
  async streamFor(
    token: string,
    { host, port }: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<ClientStream> {
    const [parked] = this.#parked
    const stream = parked ?? (await this.#nextParked(signal))
    this.#parked.delete(stream)
    stream.respond({ ':status': 200, [connectionFields.host]: host, [connectionFields.port]: port, [connectionFields.token]: token })
    return clientStream(stream)
  }

  #nextParked(signal: AbortSignal): Promise<ServerHttp2Stream> {
    const { promise, resolve, reject } = Promise.withResolvers<ServerHttp2Stream>()
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => {
      this.#waiting.delete(resolve)
      reject(new Error('no stream to home is free'))
    })
    return promise
  }
}

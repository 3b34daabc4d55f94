import { type ClientOptions, WebSocket as PlainWebSocket } from 'ws'
import { outConnection } from '../../egress/upstream/out-connection.ts'

/** A WebSocket that connects as the user configured (`wayOut`). The bundler replaces by it the one that @discordjs/ws uses. */
export class WebSocket extends PlainWebSocket {
  constructor(url: string | URL, protocols: string[], options: ClientOptions) {
    super(url, protocols, { ...options, createConnection: outConnection(String(url).startsWith('wss:')) as never })
  }
}

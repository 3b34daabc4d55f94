import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { TestNetwork } from './netns.ts'

/** Resolves when the connection is closed, to the client's error code or null. */
export function ending(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let code: string | null = null
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message
    })
    socket.once('close', () => resolve(code))
    socket.resume()
  })
}

/** Same for a connection that is refused immediately: the reset may arrive before the connection is reported as open. */
export const refusal = (network: TestNetwork, address: string, port: number) =>
  network.connect(address, port).then(ending, (error: Error) => /ECONN\w+/.exec(error.message)?.[0] ?? error.message)

export const echo = (socket: Socket) => void socket.pipe(socket)
/** Answers every request with its host and path. */
export const web = () => {
  const server = createHttpServer(
    (request, response) => void request.resume().on('end', () => response.end(`${request.headers.host}${request.url}`)),
  )
  return (socket: Socket) => void server.emit('connection', socket)
}
export const get = (path: string, host = 'a.example') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
export const until = (socket: Socket, what: string) =>
  new Promise<string>((resolve) => {
    let got = ''
    const take = (chunk: Buffer) => {
      got += String(chunk)
      if (!got.includes(what)) return
      socket.off('data', take)
      resolve(got)
    }
    socket.on('data', take)
  })

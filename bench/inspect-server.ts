// Answers every request over TLS with a few bytes, in two pieces for a stream: node bench/inspect-server.ts < key-and-certificate.json
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

const server = createServer(JSON.parse(await text(process.stdin)), (request, response) => {
  request.resume()
  if (request.url !== '/stream') return void response.end('hello')
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
  setImmediate(() => response.end('data: last\n\n'))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
process.once('disconnect', () => process.exit(0))

// Answers every request with a few bytes, over TLS: node bench/inspect-server.ts < key-and-certificate.json
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

const server = createServer(JSON.parse(await text(process.stdin)), (request, response) => {
  request.resume()
  response.end('hello')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
process.once('disconnect', () => process.exit(0))

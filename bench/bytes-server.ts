// Serves as many bytes as the path requests, from memory: node bench/bytes-server.ts
import http from 'node:http'

const chunk = Buffer.alloc(256 * 1024, 'x')
const server = http.createServer((request, response) => {
  let left = Number(request.url?.slice(1) ?? 0)
  response.writeHead(200, { 'content-length': left })
  const send = (): void => {
    while (left > 0) {
      const part = left >= chunk.length ? chunk : chunk.subarray(0, left)
      left -= part.length
      if (!response.write(part)) return void response.once('drain', send)
    }
    response.end()
  }
  send()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
process.stdin.resume().once('end', () => process.exit(0))

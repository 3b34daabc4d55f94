// Runs briefly inside a cell's network namespace: brings it up, opens the listeners that the gateway asked
// for, passes them to the host process and ends. A socket stays in the namespace where it was created
// (network_namespaces(7)), so the host process serves the cell's connections itself and nothing stays in the cell.
import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import net from 'node:net'

const [ip, wishes] = [process.argv[2], JSON.parse(process.argv[3])]
process.on('disconnect', () => process.exit(1))

// With this local route every address in 198.18.0.0/15 is local to lo (ip-route(8), type local).
execFileSync(ip, ['-batch', '-'], { input: 'link set lo up\nroute add local 198.18.0.0/15 dev lo\n', stdio: ['pipe', 'ignore', 'inherit'] })

async function open(wish) {
  if (wish.kind === 'dns-udp') {
    const socket = dgram.createSocket('udp4')
    await new Promise((resolve, reject) => socket.once('error', reject).bind(wish.port, wish.address, resolve))
    return socket
  }
  const server = net.createServer()
  await new Promise((resolve, reject) =>
    server.once('error', reject).listen({ host: wish.address, port: wish.port, backlog: 511 }, resolve),
  )
  return server
}

for (const [index, wish] of wishes.entries()) {
  const handle = await open(wish)
  await new Promise((resolve, reject) => process.send({ index }, handle, (error) => (error ? reject(error) : resolve())))
}
// The host's answer to the last one confirms that it has them all.
process.on('message', () => process.exit(0))
process.send({ done: true })

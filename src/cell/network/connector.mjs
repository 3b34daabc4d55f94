// Runs inside a cell's network namespace, but in none of the cell's other namespaces: connects to ports of the cell and
// passes the connected sockets to the host process. Started for the first connection to a published port.
import net from 'node:net'

process.on('disconnect', () => process.exit(0))
process.on('message', ({ id, port }) => connect(id, port, '127.0.0.1'))

function connect(id, port, host) {
  const socket = net.connect({ host, port, allowHalfOpen: true })
  socket.once('error', (error) => {
    // Some servers listen only on the loopback of IPv6.
    if (host === '127.0.0.1' && error.code === 'ECONNREFUSED') connect(id, port, '::1')
    else process.send({ id, error: error.code ?? error.message })
  })
  socket.once('connect', () => {
    socket.removeAllListeners('error').on('error', () => {})
    process.send({ id }, socket)
  })
}
process.send({ ready: true })

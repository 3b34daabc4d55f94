import { createServer, type Server } from 'node:net'
import { PaddockError } from '../../base/errors.ts'
import type { Cell } from '../../cell/cell.ts'

/** Parses `PORT` or `PORT:HOST-PORT`. */
function parse(text: string): { readonly inside: number; readonly outside: number } {
  const match = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text)
  const inside = Number(match?.[1] ?? 0)
  const outside = Number(match?.[2] ?? match?.[1] ?? 0)
  if (inside < 1 || inside > 65_535 || outside < 1 || outside > 65_535) {
    throw new PaddockError('BAD_INPUT', `--publish ${text} is not a port.`, {
      hint: 'Write --publish 3000, or --publish 3000:8080 for another port on this machine',
    })
  }
  return { inside, outside }
}

/** Listens on the host's loopback address for each published port. Returns a function that closes the listeners. */
async function open(ports: readonly string[], cell: Cell, shown: (line: string) => void): Promise<() => void> {
  const servers: Server[] = []
  for (const { inside, outside } of ports.map(parse)) {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      client.on('error', () => undefined)
      cell.connectInside(inside).then(
        (inner) => {
          inner.on('error', () => client.destroy())
          client.on('close', () => inner.destroy())
          client.pipe(inner)
          inner.pipe(client)
          client.resume()
        },
        () => client.resetAndDestroy(),
      )
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => {
        cell.stop('cancelled')
        reject(
          new PaddockError('CELL_FAILED', `Port ${outside} of this machine cannot be opened (${cause.code}).`, {
            hint: `Choose another: --publish ${inside}:PORT`,
            cause,
          }),
        )
      })
      server.listen(outside, '127.0.0.1', resolve)
    })
    server.unref()
    servers.push(server)
    shown(`port ${inside} of the cell is at http://127.0.0.1:${outside}`)
  }
  return () => {
    for (const each of servers) each.close()
  }
}

export const publishPorts = { parse, open }

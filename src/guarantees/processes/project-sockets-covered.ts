import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

/** The size of sun_path (unix(7)), without the final zero byte. */
const longestSocket = 107
const places = ['s', 'sub/s', '.git/s', '.vscode/s', 'deep/er/s']

export const projectSocketsCovered: Guarantee = {
  id: 'project-sockets-covered',
  chapter: 'processes',
  claim: 'A cell cannot connect to a Unix socket of your programs that is in the project when the cell starts.',
  mechanism: 'The host looks for sockets before the start and mounts a read-only empty file over each.',
  kind: 'policy',
  why: 'The path leads to a file and not a socket (EACCES, ECONNREFUSED), and a file under a mount has no other path.',
  fails: [
    'Sockets that are created after the start, that are in node_modules, .venv or __pycache__, or that exceed the first 200.',
    'Sockets under a --ro path.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ '.git/HEAD': '', '.vscode/tasks.json': '{}' })
    for (const each of ['sub', 'deep/er']) await mkdir(path.join(project, each), { recursive: true })
    if (places.some((each) => path.join(project, each).length > longestSocket))
      return unenforceable(`the path of the scratch directory is too long for a socket: ${project}`)
    const servers: Awaited<ReturnType<typeof bench.serve>>[] = []
    try {
      for (const each of places) servers.push(await bench.serve({ path: path.join(project, each) }))
      const { result } = await bench.inside(
        async ({ net, fs, connect, attempt }, given) => {
          const tried: Record<string, string> = {}
          for (const each of given) {
            tried[each] = await connect({ path: `./${each}` }, 1000)
            attempt(() => fs.renameSync(each, `${each}-moved`))
            tried[`${each} after a rename`] = await connect({ path: `./${each}-moved` }, 1000)
            attempt(() => fs.linkSync(each, `${each}-linked`))
            tried[`${each} after a link`] = await connect({ path: `./${each}-linked` }, 1000)
            attempt(() => fs.unlinkSync(each))
            tried[`${each} after its removal`] = await connect({ path: `./${each}` }, 1000)
          }
          const own = net.createServer((socket) => socket.end())
          await new Promise<void>((resolve) => own.listen('./own', resolve))
          const control = await connect({ path: './own' }, 1000)
          own.close()
          return { tried, control }
        },
        places,
        { project },
      )
      const came = servers.reduce((sum, each) => sum + each.connections(), 0)
      if (came > 0) return broken(`servers of the host in the project received ${came} connections`)
      if (result.control !== 'connected')
        return broken(`the cell's own socket in the project could not be reached either: ${result.control}`)
      const finding = unlessAll(result.tried, ['ECONNREFUSED', 'EACCES', 'ENOENT'])
      return (
        finding ??
        held(
          `sockets at ${places.join(', ')}, also after renames, links and removals: ${countOutcomes(result.tried)}; no connection arrived`,
        )
      )
    } finally {
      for (const each of servers) each[Symbol.dispose]()
    }
  },
}

import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdProcess } from '../probe/held-cell.ts'

const make = new URL('./posix-ipc-make.pl', import.meta.url)
const look = new URL('./posix-ipc-look.pl', import.meta.url)

export const posixIpcOwn: Guarantee = {
  id: 'posix-ipc-own',
  chapter: 'processes',
  claim: 'A cell cannot reach a POSIX message queue, shared memory or named semaphore of the host.',
  mechanism:
    'Message queues belong to the IPC namespace (mq_overview(7)). Shared memory and semaphores are files in /dev/shm, and the cell has a separate one.',
  kind: 'structural',
  why: 'A name is resolved in the namespace or directory of the process that uses it.',
  fails: ['None known except a bug in the kernel.'],
  probe: async (bench) => {
    const name = bench.secret()
    const host = await holdProcess('perl', ['-e', readFileSync(make, 'utf8'), process.arch, name]).catch(() => null)
    if (host === null) return unenforceable('the host has no Perl or no message queues, so none could be made')
    try {
      const control = await holdProcess('perl', ['-e', readFileSync(look, 'utf8'), process.arch, name, '0'])
      const seen = control?.line
      await control?.end()
      if (seen !== 'ok') return broken(`a message queue of the host was not found on the host either: ${seen}`)
      const { result } = await bench.inside(
        ({ perl, fs }, given) => ({
          host: perl(given.look, given.arch, given.name, '0')?.stdout.trim(),
          own: perl(given.look, given.arch, `${given.name}-own`, String(0o102))?.stdout.trim(),
          // If the Node that runs this is installed there, its path does not count as shared memory.
          shared: fs.readdirSync('/dev/shm').filter((each) => !process.execPath.startsWith(`/dev/shm/${each}/`)),
          mounted: fs.existsSync('/dev/mqueue') ? fs.readdirSync('/dev/mqueue') : [],
        }),
        { look: readFileSync(look, 'utf8'), arch: process.arch, name },
      )
      if (result.own !== 'ok') return broken(`the cell could not make a message queue of its own (errno ${result.own})`)
      if (result.host !== '2')
        return broken(`a message queue of the host by its name: ${result.host === 'ok' ? 'opened' : `errno ${result.host}`}`)
      if (result.shared.length > 0 || result.mounted.length > 0)
        return broken(`in /dev/shm and /dev/mqueue: ${[...result.shared, ...result.mounted].join(', ')}`)
      return held('a message queue of the host by its name: ENOENT; /dev/shm is empty; the cell could make its own queue')
    } finally {
      await host.end()
    }
  },
}

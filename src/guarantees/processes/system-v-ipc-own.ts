import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdCell, holdProcess } from '../probe/held-cell.ts'

const make = new URL('./system-v-ipc-make.pl', import.meta.url)
const look = new URL('./system-v-ipc-look.pl', import.meta.url)

export const systemVOwn: Guarantee = {
  id: 'system-v-ipc-own',
  chapter: 'processes',
  claim: 'A cell cannot reach System V shared memory, semaphores or message queues of the host or of another cell.',
  mechanism: 'A separate IPC namespace (ipc_namespaces(7)).',
  kind: 'structural',
  why: "Keys and identifiers are looked up in the namespace, and a cell's starts empty.",
  fails: ['None known except a bug in the kernel.'],
  probe: async (bench) => {
    // Keys are shared by the whole machine, so they are random, high, and created only with IPC_CREAT.
    const [hostKey, cellKey] = [randomInt(0x4000_0000, 0x5000_0000), randomInt(0x5000_0000, 0x6000_0000)]
    const host = await holdProcess('perl', ['-e', readFileSync(make, 'utf8'), String(hostKey)]).catch(() => null)
    if (host === null) return unenforceable('the host has no Perl that could make such an object')
    try {
      const own = await holdProcess('perl', ['-e', readFileSync(look, 'utf8'), String(hostKey)])
      const control = own?.line ?? ''
      await own?.end()
      if (!control.includes('memory')) return broken(`the object made on the host was not found on the host either: ${control}`)
      const other = await holdCell(bench, ['perl', '-e', readFileSync(make, 'utf8'), String(cellKey)])
      const { result } = await bench.inside(
        ({ perl, fs }, given) => ({
          host: perl(given.look, String(given.hostKey))?.stdout.trim() ?? '',
          other: perl(given.look, String(given.cellKey))?.stdout.trim() ?? '',
          listed: ['shm', 'sem', 'msg'].flatMap((each) => fs.readFileSync(`/proc/sysvipc/${each}`, 'utf8').trim().split('\n').slice(1)),
          own: perl(given.make, String(given.ownKey)),
        }),
        { make: readFileSync(make, 'utf8'), look: readFileSync(look, 'utf8'), hostKey, cellKey, ownKey: cellKey + 1 },
      )
      await other.end()
      if (result.own?.code !== 0) return broken(`the cell could not make such objects of its own: ${result.own?.stderr}`)
      if (result.host !== '') return broken(`of the host, by its key: ${result.host}`)
      if (result.other !== '') return broken(`of another cell, by its key: ${result.other}`)
      if (result.listed.length > 0) return broken(`${result.listed.length} objects are listed in /proc/sysvipc`)
      return held('shared memory, semaphores and messages of the host and of another cell: none by key, none listed')
    } finally {
      await host.end()
    }
  },
}

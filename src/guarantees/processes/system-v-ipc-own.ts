import { randomInt } from 'node:crypto'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdCell, holdProcess } from '../probe/held-cell.ts'

/** Makes a segment of shared memory, a semaphore set and a message queue by one key, readable and writable to all; removes them at the end of its input. */
const make = String.raw`
$| = 1;
my $key = $ARGV[0] + 0;
my $m = shmget($key, 4096, 01666) // die "shmget: $!";
my $s = semget($key, 1, 01666) // die "semget: $!";
my $q = msgget($key, 01666) // die "msgget: $!";
print "$m $s $q\n";
my $line = <STDIN>;
shmctl($m, 0, 0); semctl($s, 0, 0, 0); msgctl($q, 0, 0);
`
/** Looks for them by the key. */
const look = `
my $key = $ARGV[0] + 0;
print defined(shmget($key, 0, 0)) ? 'memory ' : '', defined(semget($key, 0, 0)) ? 'semaphores ' : '', defined(msgget($key, 0)) ? 'messages' : '';
`

export const systemVOwn: Guarantee = {
  id: 'system-v-ipc-own',
  chapter: 'processes',
  claim: 'A cell reaches no System V shared memory, semaphore or message queue of the host or of another cell.',
  mechanism: 'An IPC namespace of its own (ipc_namespaces(7)).',
  kind: 'structural',
  why: 'Keys and identifiers are looked up in the namespace, and the cell’s is empty.',
  fails: ['None that we know of but a hole in the kernel.'],
  probe: async (bench) => {
    // Keys are the whole machine's: chosen at random, high, and made with IPC_CREAT alone.
    const [hostKey, cellKey] = [randomInt(0x4000_0000, 0x5000_0000), randomInt(0x5000_0000, 0x6000_0000)]
    const host = await holdProcess('perl', ['-e', make, String(hostKey)]).catch(() => null)
    if (host === null) return unenforceable('the host has no Perl that could make such an object')
    try {
      const own = await holdProcess('perl', ['-e', `$| = 1; ${look} print "\n"; <STDIN>`, String(hostKey)])
      const control = own?.line ?? ''
      await own?.end()
      if (!control.includes('memory')) return broken(`what the host made was not found on the host either: ${control}`)
      const other = await holdCell(bench, ['perl', '-e', make, String(cellKey)])
      const { result } = await bench.inside(
        ({ perl, fs }, given) => ({
          host: perl(given.look, String(given.hostKey))?.stdout ?? '',
          other: perl(given.look, String(given.cellKey))?.stdout ?? '',
          listed: ['shm', 'sem', 'msg'].flatMap((each) => fs.readFileSync(`/proc/sysvipc/${each}`, 'utf8').trim().split('\n').slice(1)),
          own: perl('my $own = shmget(0, 64, 01600); print defined($own) ? "made" : "$!"; shmctl($own, 0, 0)')?.stdout,
        }),
        { look, hostKey, cellKey },
      )
      await other.end()
      if (result.own !== 'made') return broken(`the cell could not make such an object of its own: ${result.own}`)
      if (result.host !== '') return broken(`of the host, by its key: ${result.host}`)
      if (result.other !== '') return broken(`of another cell, by its key: ${result.other}`)
      if (result.listed.length > 0) return broken(`${result.listed.length} objects are listed in /proc/sysvipc`)
      return held('shared memory, semaphores and messages of the host and of another cell: none by key, none listed')
    } finally {
      await host.end()
    }
  },
}

import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdProcess } from '../probe/held-cell.ts'

/** mq_open with O_CREAT | O_RDWR, 0666 and default attributes; mq_unlink at the end of its input. */
const make = String.raw`
$| = 1;
my ($arch, $name) = @ARGV;
my ($open, $unlink) = $arch eq 'arm64' ? (180, 181) : (240, 241);
my $path = "$name";
syscall($open, $path, 0102, 0666, 0) != -1 or die "mq_open: $!";
print "ready\n";
my $line = <STDIN>;
syscall($unlink, $path);
`
const look = `
my ($arch, $name, $flags) = @ARGV;
my $path = "$name";
print syscall($arch eq 'arm64' ? 180 : 240, $path, $flags + 0, 0600, 0) == -1 ? $!+0 : 'ok';
syscall($arch eq 'arm64' ? 181 : 241, $path) if $flags;
`

export const posixIpcOwn: Guarantee = {
  id: 'posix-ipc-own',
  chapter: 'processes',
  claim: 'A cell reaches no POSIX message queue, shared memory or named semaphore of the host.',
  mechanism:
    'Message queues belong to the IPC namespace (mq_overview(7)); shared memory and semaphores are files in /dev/shm, and the cell’s is its own.',
  kind: 'structural',
  why: 'A name leads into the namespace or the directory of the one who asks.',
  fails: ['None that we know of but a hole in the kernel.'],
  probe: async (bench) => {
    const name = bench.secret()
    const host = await holdProcess('perl', ['-e', make, process.arch, name]).catch(() => null)
    if (host === null) return unenforceable('the host has no Perl or no message queues, so none could be made')
    try {
      const control = await holdProcess('perl', ['-e', `$| = 1; ${look} print "\n"; <STDIN>`, process.arch, name, '0'])
      const seen = control?.line
      await control?.end()
      if (seen !== 'ok') return broken(`a message queue of the host was not found on the host either: ${seen}`)
      const { result } = await bench.inside(
        ({ perl, fs }, given) => ({
          host: perl(given.look, given.arch, given.name, '0')?.stdout,
          own: perl(given.look, given.arch, `${given.name}-own`, String(0o102))?.stdout,
          // The way to the Node that runs this, where that is installed there, is no shared memory.
          shared: fs.readdirSync('/dev/shm').filter((each) => !process.execPath.startsWith(`/dev/shm/${each}/`)),
          mounted: fs.existsSync('/dev/mqueue') ? fs.readdirSync('/dev/mqueue') : [],
        }),
        { look, arch: process.arch, name },
      )
      if (result.own !== 'ok') return broken(`the cell could not make a message queue of its own (errno ${result.own})`)
      if (result.host !== '2')
        return broken(`a message queue of the host by its name: ${result.host === 'ok' ? 'opened' : `errno ${result.host}`}`)
      if (result.shared.length > 0 || result.mounted.length > 0)
        return broken(`in /dev/shm and /dev/mqueue: ${[...result.shared, ...result.mounted].join(', ')}`)
      return held('a message queue of the host by its name: ENOENT; /dev/shm empty; one of its own was made')
    } finally {
      await host.end()
    }
  },
}

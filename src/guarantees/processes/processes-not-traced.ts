import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

/** PTRACE_ATTACH, PTRACE_SEIZE, process_vm_readv, process_vm_writev, pidfd_getfd, kcmp on each process named. */
const script = String.raw`
my ($arch, @pids) = @ARGV;
my $arm = $arch eq 'arm64';
for my $pid (@pids) {
  my @calls = (
    ["attach $pid", $arm ? 117 : 101, 16, $pid + 0, 0, 0],
    ["seize $pid", $arm ? 117 : 101, 0x4206, $pid + 0, 0, 0],
    ["read $pid", $arm ? 270 : 310, $pid + 0, 0, 0, 0, 0, 0],
    ["write $pid", $arm ? 271 : 311, $pid + 0, 0, 0, 0, 0, 0],
    ["descriptor $pid", 438, 0, 0, 0],
    ["compare $pid", $arm ? 272 : 312, $pid + 0, $pid + 0, 0, 0, 0],
  );
  for (@calls) { my ($name, $n, @args) = @$_; $! = 0; my $got = syscall($n, @args); print "$name:", ($got == -1 ? $!+0 : 'ok'), "\n"; }
}
`

export const initUntampered: Guarantee = {
  id: 'processes-not-traced',
  chapter: 'processes',
  claim: 'No process of a cell can trace another or reach into its memory by system calls, the cell’s init included.',
  mechanism: 'The seccomp filter refuses ptrace, process_vm_readv and process_vm_writev, pidfd_getfd and kcmp.',
  kind: 'policy',
  why: 'The init’s end is what ends every process of the cell; and a helper that holds what the agent does not is not to be read out.',
  fails: [
    '/proc/PID/mem of a process of the same user can be opened; what is done to the init by it, the host ends the cell all the same.',
    'Debuggers do not work in a cell.',
  ],
  probe: async (bench) => {
    const { result } = await bench.inside(
      async ({ perl, childProcess }, given) => {
        const child = childProcess.spawn('/bin/sleep', ['20'], { stdio: 'ignore' })
        const ran = perl(given.script, given.arch, '1', String(child.pid))
        const alive = child.exitCode === null && child.pid !== undefined
        child.kill('SIGKILL')
        return ran === null ? null : { ...ran, alive }
      },
      { script, arch: process.arch },
    )
    if (result === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
    if (!result.alive) return broken('the process that was to be traced could not be started')
    const tried = Object.fromEntries(
      result.stdout
        .trim()
        .split('\n')
        .map((line) => {
          const [name = '', answer = ''] = line.split(':')
          return [name, answer === '1' ? 'EPERM' : answer]
        }),
    )
    if (Object.keys(tried).length !== 12)
      return broken(`only ${Object.keys(tried).length} of 12 calls were made: ${result.stderr.slice(0, 200)}`)
    const finding = unlessAll(tried, ['EPERM'])
    return finding ?? held(`attach, seize, read, write, take a descriptor of, compare: the init and a child: ${countOutcomes(tried)}`)
  },
}

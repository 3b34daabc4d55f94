import type { CellWishes, ProbeBench } from './bench.ts'

/** Perl that takes MiB of memory file (memfd_create(2)) and of shared anonymous memory (mmap(2)), with every page written to. */
const script = String.raw`
$| = 1;
my ($how, $most, $seconds, $arm) = @ARGV;
my $block = "x" x (1 << 20);
my $name = "m";
my $kept;
if ($how eq "file") {
  open($kept, "+<&=", syscall($arm ? 279 : 319, $name, 0)) or die "memfd_create: $!";
  for (1 .. $most) { syswrite($kept, $block) or die $! }
} else {
  my $at = syscall($arm ? 222 : 9, 0, $most << 20, 3, 0x21, -1, 0);
  die "mmap: $!" if $at == -1;
  open($kept, "+<", "/proc/self/mem") or die $!;
  for (0 .. $most - 1) { sysseek($kept, $at + ($_ << 20), 0); syswrite($kept, $block) or die $! }
}
print "had\n";
sleep $seconds;
`

export type SharedMemory = 'file' | 'mapping'

/** Takes that much shared memory in a cell and keeps it for so long. `had`: all of it was there, and the cell was not ended for it. Null: the cell has no Perl. */
export async function takeShared(
  bench: ProbeBench,
  how: SharedMemory,
  taken: { readonly mebibytes: number; readonly seconds: number },
  wishes: CellWishes,
): Promise<{ readonly had: boolean } | null> {
  const arm = process.arch === 'arm64' ? '1' : '0'
  const { report, stdout, stderr } = await bench.run(['perl', '-e', script, how, `${taken.mebibytes}`, `${taken.seconds}`, arm], wishes)
  const { ending } = report
  if (ending.kind === 'exited' && (ending.code === 127 || ending.code === 126)) return null
  if (ending.kind === 'out-of-memory') return { had: false }
  if (stdout.includes('had')) return { had: true }
  throw new Error(`shared memory could not be taken (${ending.kind}): ${stderr.trim().slice(-200)}`)
}

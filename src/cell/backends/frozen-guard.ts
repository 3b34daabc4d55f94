import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Looks twice a second whether a thread of a process below the init runs while Paddock is stopped, and kills the init when it saw that for
 * the second time: SIGSTOP does not hold a process whose own timer sends it SIGCONT (timer_create(2)), and nothing else holds the limits
 * that Paddock measures itself. Paddock ends it when it goes on; it ends by itself if Paddock is not stopped for ten seconds. In Perl, because it stays in memory for as long as a user leaves the job stopped.
 */
const guardProgram = [
  'no warnings; my ($paddock, $init, $born) = @ARGV;',
  'sub facts { open my $file, "<", "/proc/$_[0]/stat" or return; local $/; <$file> =~ /.*\\) (.*)/s or return; (split / /, $1)[0, 1, 19] }',
  'for (my ($seen, $early) = (0, 0); $seen < 2;) {',
  '  select undef, undef, undef, .5;',
  '  exit if ((facts $init)[2] // "") ne $born;',
  '  my (%below, $runs);',
  '  for (map { m{(\\d+)} } glob "/proc/[0-9]*") { push @{$below{(facts $_)[1]}}, $_ }',
  '  my @queue = @{$below{$init} // []};',
  '  while (defined(my $each = shift @queue)) { for (glob "/proc/$each/task/[0-9]*") { $runs = 1 if (facts(substr $_, 6))[0] =~ /[RS]/ } push @queue, @{$below{$each} // []} }',
  '  if (((facts $paddock)[0] // "") eq "T") { $seen++ if $runs } elsif (++$early > 20) { exit }',
  '}',
  'kill "KILL", $init;',
].join(' ')

/** Starts it, for the time in which Paddock stops itself. Returns what ends it. */
export function guardFrozen(perl: string, init: number): () => void {
  const text = readFileSync(`/proc/${init}/stat`, 'latin1')
  const born = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  const words = ['-t', '-e', guardProgram, '--', String(process.pid), String(init), born]
  // A session of its own: what stops the job of Paddock must not stop it.
  const child = spawn(perl, words, { detached: true, stdio: 'ignore', cwd: '/', env: {} })
  child.once('error', () => undefined)
  child.unref()
  return () => void child.kill('SIGKILL')
}

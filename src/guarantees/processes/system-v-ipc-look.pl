# Looks up shared memory, semaphores and messages by their key; prints the results, and waits for the end of its input.
use strict;
$| = 1;
my $key = $ARGV[0] + 0;
print defined(shmget($key, 0, 0)) ? 'memory ' : '', defined(semget($key, 0, 0)) ? 'semaphores ' : '', defined(msgget($key, 0)) ? 'messages' : '', "\n";
my $line = <STDIN>;

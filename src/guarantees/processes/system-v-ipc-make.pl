# Creates a segment of shared memory, a semaphore set and a message queue with one key, readable and writable for all; removes
# them at the end of its input.
use strict;
$| = 1;
my $key = $ARGV[0] + 0;
my $m = shmget($key, 4096, 01666) // die "shmget: $!";
my $s = semget($key, 1, 01666) // die "semget: $!";
my $q = msgget($key, 01666) // die "msgget: $!";
print "$m $s $q\n";
my $line = <STDIN>;
shmctl($m, 0, 0); semctl($s, 0, 0, 0); msgctl($q, 0, 0);

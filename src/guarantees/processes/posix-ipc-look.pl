# mq_open with the flags given; prints `ok` or the error's number, and waits for the end of its input. Unlinks anything that
# the flags let it create.
use strict;
$| = 1;
my ($arch, $name, $flags) = @ARGV;
my ($open, $unlink) = $arch eq 'arm64' ? (180, 181) : (240, 241);
my $path = "$name";
print syscall($open, $path, $flags + 0, 0600, 0) == -1 ? $!+0 : 'ok', "\n";
syscall($unlink, $path) if $flags;
my $line = <STDIN>;

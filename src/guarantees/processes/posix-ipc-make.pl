# mq_open with O_CREAT | O_RDWR, 0666 and default attributes; mq_unlink at the end of its input.
use strict;
$| = 1;
my ($arch, $name) = @ARGV;
my ($open, $unlink) = $arch eq 'arm64' ? (180, 181) : (240, 241);
my $path = "$name";
syscall($open, $path, 0102, 0666, 0) != -1 or die "mq_open: $!";
print "ready\n";
my $line = <STDIN>;
syscall($unlink, $path);

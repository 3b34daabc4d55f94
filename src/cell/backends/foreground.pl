# Makes the program that it starts a process group of its own in the foreground of the terminal (setpgid(2), tcsetpgrp(3)),
# as a shell does with a job. Ctrl-C would reach bwrap otherwise and end the cell, and Ctrl-Z would reach nobody: keys
# cannot stop a group that has no parent in its session. In Perl, because sh(1) cannot do it.
use strict; no warnings;
setpgrp 0, 0;
$SIG{TTOU} = "IGNORE";
ioctl STDIN, 0x5410, pack("i", $$);
$SIG{TTOU} = "DEFAULT";
delete $ENV{PERL_BADLANG};
exec { $ARGV[0] } @ARGV;
exit 126;

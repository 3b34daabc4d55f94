# Starts a program in a separate process group in the foreground of the terminal (setpgid(2), tcsetpgrp(3)), like a shell
# with a job. Otherwise Ctrl-C would reach bwrap and end the cell, and Ctrl-Z would have no effect, because keys cannot stop
# a group that has no parent in its session. Written in Perl, because sh(1) cannot do it.
use strict; no warnings;
setpgrp 0, 0;
$SIG{TTOU} = "IGNORE";
ioctl STDIN, 0x5410, pack("i", $$);
$SIG{TTOU} = "DEFAULT";
delete $ENV{PERL_BADLANG};
exec { $ARGV[0] } @ARGV;
exit 126;

# add_key("user", NAME, "x", 1, user key ring); keyctl(KEYCTL_UNLINK) at the end of its input.
use strict;
$| = 1;
my ($arch, $name) = @ARGV;
my ($add, $ctl) = $arch eq 'arm64' ? (217, 219) : (248, 250);
my ($type, $what, $load) = ("user", "$name", "x");
my $key = syscall($add, $type, $what, $load, 1, -4);
die "add_key: $!" if $key == -1;
# KEYCTL_SETPERM: all may view, read, search and link.
syscall($ctl, 5, $key, 0x3f3f3f3f);
print "$key\n";
my $line = <STDIN>;
syscall($ctl, 9, $key, -4);

# Prints the files below some directories that have more than one name (hard links). Other programs may change the directories
# meanwhile, so each is entered through its descriptor, and never through a link. Written in Perl because it looks at every file at
# each start of a cell, beside the process that plans the cell.
#
# Arguments: directories as absolute paths. Output, each part ended by NUL: `DEVICE INODE NAMES BYTES PATH` for each such name, and
# `left PATH` for a name that a killed `own-copies.pl` may have left. Prints `end` last.
use strict; no warnings;
my ($root, %entered) = ($> == 0);
my $out = '';
sub put { $out .= "$_[0]\0"; if (length $out > 65536) { syswrite STDOUT, $out; $out = '' } }
sub look {
  my ($handle, $path) = @_;
  my @below;
  for my $name (readdir $handle) {
    next if $name eq '.' || $name eq '..';
    my ($device, $inode, $mode, $names, $owner, undef, undef, undef, undef, undef, undef, undef, $blocks) = lstat $name or next;
    my $kind = $mode & 0170000;
    if ($kind == 0040000) { push @below, [$name, $device, $inode] }
    elsif ($kind == 0100000) {
      put("left $path/$name") if $name =~ /^\.paddock-own-[0-9a-f]{12}$/;
      # A user can change neither the content nor the mode of another user's read-only file.
      put("$device $inode $names " . $blocks * 512 . " $path/$name") if $names > 1 && ($root || $owner == $> || -w _);
    }
  }
  for (@below) {
    my ($name, $device, $inode) = @$_;
    opendir(my $inside, $name) or next;
    my @now = stat $inside;
    next unless $now[0] == $device && $now[1] == $inode && !$entered{"$device $inode"}++ && chdir $inside;
    look($inside, "$path/$name");
    chdir $handle or exit 1;
  }
}
for my $each (@ARGV) {
  opendir(my $handle, $each) or next;
  my @now = stat $handle;
  next if $entered{"$now[0] $now[1]"}++ || !chdir $handle;
  look($handle, $each);
}
put('end');
syswrite STDOUT, $out;

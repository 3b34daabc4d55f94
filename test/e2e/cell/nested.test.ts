import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage } from '../../support/cli.ts'

const inner = 'bwrap --dev-bind / / --unshare-user --unshare-pid --unshare-net --cap-add ALL --'

/** Looks up a file, and makes set-user-ID files that get content in several ways. Each line: the way, the mode before and after it. */
const openat2 = `use strict;
my $arm = \`uname -m\` =~ /aarch64/;
my %number = (write => [1, 64], ftruncate => [77, 46], fallocate => [285, 47], sendfile => [40, 71], mmap => [9, 222], read => [0, 63]);
sub call { my ($name, @given) = @_; return syscall($number{$name}[$arm], @given) }
sub openat2 { my ($directory, $name, @how) = @_; my $how = pack 'Q3', @how; return syscall(437, $directory, $name, $how, 24) }
opendir my $etc, '/etc' or die;
my $found = openat2(fileno $etc, '/../passwd', 010000000, 0, 0x10);
if ($found < 0) { print "openat2: $!\\n"; exit }
print 'found ', readlink("/proc/self/fd/$found") =~ s{.*/}{}r, "\\n";
open my $program, '<', '/usr/bin/perl' or die;
for my $way (qw(write ftruncate fallocate sendfile mapping nothing)) {
  my $file = openat2(-100, my $name = "by-$way", 0102, 06755, 0);
  my @before = (stat $name)[2, 7];
  my $bytes = 'x' x 4096;
  call('write', $file, $bytes, 4096) if $way eq 'write';
  call('ftruncate', $file, 4096) if $way eq 'ftruncate' || $way eq 'mapping';
  call('fallocate', $file, 0, 0, 4096) if $way eq 'fallocate';
  call('sendfile', $file, fileno $program, 0, 4096) if $way eq 'sendfile';
  call('read', fileno $program, call('mmap', 0, 4096, 3, 1, $file, 0), 4096) if $way eq 'mapping';
  my @after = (stat $name)[2, 7];
  printf "%s: %o with %d bytes, %o with %d\\n", $way, $before[0] & 07777, $before[1], $after[0] & 07777, $after[1];
}
`

describe.each(everyone)('a sandbox inside a cell, as %s', (who) => {
  test('is refused unless it was requested, and is reported when it runs', async () => {
    using stage = makeStage(who)
    const refused = await inCell(stage, `${inner} echo inside`)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    const report = path.join(stage.root, 'report.json')
    writeFileSync(report, '')
    stage.own()
    const ran = await inCell(stage, `${inner} echo inside`, { args: ['--nested-sandbox', '--report', report] })
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, 'inside\n', ''])
    expect(JSON.parse(readFileSync(report, 'utf8')).degraded).toEqual(['nested-sandbox'])
  })

  // bwrap 0.12 looks up what it mounts with openat2(2), with RESOLVE_IN_ROOT.
  test('looks up files with openat2, which leaves no set-user-ID program on the host', async () => {
    using stage = makeStage(who)
    stage.put('openat2.pl', openat2)
    stage.own()
    const ran = await inCell(stage, 'perl openat2.pl', { args: ['--nested-sandbox'] })
    const [found, ...made] = ran.stdout.split('\n')
    expect(found).toBe('found passwd')
    // The kernel clears the bits when an empty file gets content, and Paddock clears those of files that are still empty.
    expect(made.slice(0, 6)).toEqual([
      'write: 6755 with 0 bytes, 755 with 4096',
      'ftruncate: 6755 with 0 bytes, 755 with 4096',
      'fallocate: 6755 with 0 bytes, 755 with 4096',
      'sendfile: 6755 with 0 bytes, 755 with 4096',
      'mapping: 6755 with 0 bytes, 755 with 4096',
      'nothing: 6755 with 0 bytes, 6755 with 0',
    ])
    const modes = readdirSync(stage.project).map((each) => statSync(path.join(stage.project, each)).mode & 0o6000)
    expect(modes).toEqual([0, 0, 0, 0, 0, 0, 0])
    const refused = await inCell(stage, 'perl openat2.pl')
    expect(refused.stdout).toBe('openat2: Function not implemented\n')
  })

  test('loosens nothing of the cell around it', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.project, '.git/hooks'), { recursive: true })
    writeFileSync(path.join(stage.project, '.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(path.join(stage.project, '.git/config'), '[core]\n')
    stage.put('.envrc', 'as it was\n')
    stage.own()
    const script = [
      // Even with every capability in its own namespaces, the agent cannot unmount the cell's read-only mounts or make them writable.
      `umount .git/hooks && echo 'took a mount off'`,
      `mount -o remount,bind,rw .envrc && echo 'made a mount writable'`,
      `(echo x > .envrc) && echo 'wrote a protected file'`,
      `mount -t tmpfs none .git/hooks && echo x > .git/hooks/pre-commit && echo 'laid a mount over it, here only'`,
      `ls ${stage.home}/.. | grep -c paddock && echo 'saw the host'`,
      `ip route add default dev lo 2>/dev/null; ip -o link | wc -l`,
    ].join('\n')
    writeFileSync(path.join(stage.project, 'try.sh'), script)
    stage.own()
    const ran = await inCell(stage, `${inner} sh try.sh 2>/dev/null`, { args: ['--nested-sandbox', '--egress', 'allowlist'] })
    expect(ran.stdout).toContain('laid a mount over it, here only')
    expect(ran.stdout).not.toMatch(/took|made|wrote|saw the host/)
    expect(ran.stdout).toMatch(/^1$/m)
    expect(existsSync(path.join(stage.project, '.git/hooks/pre-commit'))).toBe(false)
    expect(stage.read('.envrc')).toBe('as it was\n')
  })
})

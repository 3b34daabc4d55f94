import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { both, inCell, isRoot, makeStage } from '../../support/cli.ts'

/** Numbers of setxattr, getxattr, mmap and read (syscalls(2)). */
const call = process.arch === 'arm64' ? { set: 5, get: 8, mmap: 222, read: 63 } : { set: 188, get: 191, mmap: 9, read: 0 }
/** struct vfs_cap_data, revision 2, effective: CAP_DAC_OVERRIDE (capabilities(7)). */
const give = `my ($name, $value) = ("security.capability", pack("V5", 0x02000001, 2, 0, 0, 0)); my $got = syscall(${call.set}, $ARGV[0], $name, $value, 20, 0); print $got == 0 ? "given" : $! + 0`
const has = (file: string): boolean =>
  execFileSync('perl', [
    '-e',
    `my ($name, $value) = ("security.capability", "\\0" x 64); print syscall(${call.get}, $ARGV[0], $name, $value, 64) > 0 ? 1 : 0`,
    file,
  ]).toString() === '1'

test.each(both)('no cell gives a file capabilities that would count on the host, a nested sandbox neither, as %s', async (who) => {
  using stage = makeStage(who)
  writeFileSync(path.join(stage.project, 'give.pl'), give)
  copyFileSync('/usr/bin/cat', path.join(stage.project, 'tool'))
  chmodSync(path.join(stage.project, 'tool'), 0o755)
  stage.own()
  expect((await inCell(stage, 'perl give.pl tool')).stdout).toBe('95')
  const nested = await inCell(stage, 'unshare --user --map-root-user perl give.pl tool', { args: ['--nested-sandbox'] })
  expect([nested.stdout, nested.code]).toEqual(['95', 0])
  expect(has(path.join(stage.project, 'tool'))).toBe(false)
})

test.for(both)('a program with capabilities loses them once a cell has written to it through a mapping, as %s', async (who, { skip }) => {
  skip(!isRoot, 'needs root: only root can give a file capabilities')
  using stage = makeStage(who)
  const tools = ['changed', 'left'].map((each) => path.join(stage.project, each))
  for (const each of tools) copyFileSync('/usr/bin/cat', each)
  // The kernel writes into the mapping, so there is no write(2) on the file that would remove the capabilities.
  const map = `open(my $f, "+<", "changed"); my $at = syscall(${call.mmap}, 0, 4096, 3, 1, fileno $f, 0); open(my $zero, "<", "/dev/zero"); print syscall(${call.read}, fileno $zero, $at, 4)`
  writeFileSync(path.join(stage.project, 'map.pl'), map)
  stage.own()
  for (const each of tools) {
    chmodSync(each, 0o755)
    expect(execFileSync('perl', ['-e', give, each]).toString()).toBe('given')
  }
  const before = statSync(tools[0] ?? '').mtimeMs
  const ran = await inCell(stage, 'perl map.pl', { args: ['--report', path.join(stage.root, 'report.json')] })
  expect([ran.stdout, ran.stderr]).toEqual(['4', ''])
  expect(tools.map(has)).toEqual([false, true])
  expect(statSync(tools[0] ?? '').mtimeMs).toBeGreaterThanOrEqual(before)
})

test.for(both)('neither behind a flood of new programs, nor under a name that is not UTF-8, as %s', async (who, { skip }) => {
  skip(!isRoot, 'needs root: only root can give a file capabilities')
  using stage = makeStage(who)
  const tools = ['1', '2', '3', '4', '\xff'].map((each) => Buffer.from(`${stage.project}/tool-${each}`, 'latin1'))
  const script = `
    for (1..20000) { open(my $new, ">", "new-$_") or die; chmod 0755, $new }
    for (glob "tool-*") {
      open(my $f, "+<", $_) or die; my $at = syscall(${call.mmap}, 0, 4096, 3, 1, fileno $f, 0);
      open(my $zero, "<", "/dev/zero"); print syscall(${call.read}, fileno $zero, $at, 4)
    }`
  writeFileSync(path.join(stage.project, 'flood.pl'), script)
  stage.own()
  for (const each of tools) copyFileSync('/usr/bin/cat', each)
  const last = `for (glob "${stage.project}/tool-*") { my $f = $_; chown(${who === 'user' ? '61234, 61234' : '0, 0'}, $f); chmod 0755, $f; @ARGV = ($f); ${give} }`
  expect(execFileSync('perl', ['-e', last]).toString()).toBe('given'.repeat(5))
  const ran = await inCell(stage, 'perl flood.pl')
  expect([ran.stdout, ran.code]).toEqual(['44444', 0])
  const having = `for (glob "${stage.project}/tool-*") { my ($name, $value, $f) = ("security.capability", "\\0" x 64, $_); print "$f " if syscall(${call.get}, $f, $name, $value, 64) > 0 }`
  expect(execFileSync('perl', ['-e', having]).toString()).toBe('')
})

test.each(both)('a directory that a nested sandbox makes by an overlay has no set-group-ID bit afterwards, as %s', async (who) => {
  using stage = makeStage(who)
  mkdirSync(path.join(stage.project, 'shared'))
  stage.own()
  // The project's own bit is kept, because the user set it.
  chmodSync(path.join(stage.project, 'shared'), 0o2775)
  const script = [
    'mkdir -p upper work /tmp/lower /tmp/merged shared/below',
    'mount -t tmpfs -o mode=7777 none /tmp/lower && mkdir /tmp/lower/x',
    'mount -t overlay -o lowerdir=/tmp/lower,upperdir=$PWD/upper,workdir=$PWD/work,userxattr none /tmp/merged && touch /tmp/merged/x/new',
  ].join('\n')
  writeFileSync(path.join(stage.project, 'try.sh'), script)
  stage.own()
  chmodSync(path.join(stage.project, 'shared'), 0o2775)
  await inCell(stage, 'unshare --user --map-root-user --mount sh try.sh', { args: ['--nested-sandbox'] })
  const mode = (name: string): number => statSync(path.join(stage.project, name)).mode & 0o6000
  expect(existsSync(path.join(stage.project, 'upper/x/new'))).toBe(true)
  expect(mode('upper/x')).toBe(0)
  expect(mode('shared')).toBe(0o2000)
  expect(mode('shared/below')).toBe(0o2000)
})

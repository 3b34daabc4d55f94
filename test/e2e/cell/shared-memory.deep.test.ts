import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { inCell, makeStage } from '../../support/cli.ts'

/** The numbers of mmap(2) and memfd_create(2). Memory is written 1 MiB at a time, so that each page exists. */
const calls = process.arch === 'arm64' ? { mmap: 222, memfd: 279 } : { mmap: 9, memfd: 319 }
const block = 'my $block = "x" x (1 << 20);'
const intoFile = `sub file { my $name = "m"; open(my $f, "+<&=", syscall(${calls.memfd}, $name, 0)) or die "memfd: $!"; syswrite($f, $block) for 1 .. $_[0]; $f }`
const attached =
  'sub attached { my $id = shmget(0, $_[0] << 20, 0600 | 01000) // die "shmget: $!"; shmwrite($id, $block, $_ << 20, 1 << 20) or die $! for 0 .. $_[0] - 1 }'
const anonymous = `sub anonymous { my $at = syscall(${calls.mmap}, 0, $_[0] << 20, 3, 0x21, -1, 0); die "mmap: $!" if $at == -1;
  open(my $m, "+<", "/proc/self/mem") or die $!; for (0 .. $_[0] - 1) { sysseek($m, $at + ($_ << 20), 0); syswrite($m, $block) or die $! } }`
const mapped = `sub mapped { my $f = file($_[0]); my $at = syscall(${calls.mmap}, 0, $_[0] << 20, 3, 1, fileno($f), 0); die "mmap: $!" if $at == -1;
  open(my $m, "<", "/proc/self/mem") or die $!; for (0 .. $_[0] - 1) { sysseek($m, $at + ($_ << 20), 0); sysread($m, my $b, 1 << 20) or die $! } $f }`
const program = (last: string): string =>
  `$| = 1; ${block} ${intoFile} ${attached} ${anonymous} ${mapped} ${last} print "had\\n"; sleep 60;`

describe('A9: without a control group, as a user,', () => {
  const ran = async (script: string): Promise<{ stdout: string; report: CellReport }> => {
    using stage = makeStage('user')
    const file = path.join(stage.root, 'report.json')
    stage.put('take.pl', script)
    stage.own()
    const args = ['--egress', 'off', '--memory', '128MiB', '--allow-degraded', 'memory', '--report', file]
    const { stdout, stderr } = await inCell(stage, 'perl take.pl', { args })
    expect(stderr).toBe('')
    return { stdout, report: JSON.parse(readFileSync(file, 'utf8')) }
  }

  it.concurrent.each([
    ['a memory file that is not mapped', 'my $kept = file(200);'],
    ['a memory file that is mapped', 'my $kept = mapped(200);'],
    ['a System V segment that is not attached', 'attached(200);'],
    ['a shared anonymous mapping', 'anonymous(200);'],
    ['all of them, each below the limit', 'my $one = file(40); my $two = mapped(40); attached(40); anonymous(40);'],
    ['private memory of several processes', 'for (1 .. 3) { fork or do { my $own = "x" x (60 << 20); sleep 60; exit } }'],
  ])('a cell that takes more memory than its limit is ended: %s', async (_, script) => {
    const { stdout, report } = await ran(program(script))
    expect(report.ending).toEqual({ kind: 'out-of-memory' })
    // The cell may be ended before the program says that it had the memory.
    expect(['', 'had\n']).toContain(stdout)
    expect(report.limits.find((each) => each.limit === 'memory')).toMatchObject({ mechanism: 'memory watch', asked: true })
  })

  it.concurrent('shared memory counts once, however many processes map it', async () => {
    const { stdout, report } = await ran(
      program('my $kept = mapped(80); for (1 .. 4) { fork or do { sleep 8; exit } } print "had\\n"; sleep 8; exit;'),
    )
    expect([stdout, report.ending]).toEqual(['had\n', { kind: 'exited', code: 0 }])
  })
})

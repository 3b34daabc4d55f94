import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlace, type Place } from '../repositories/place.ts'

const tmpfs = 0x01021994
const isThere = process.platform === 'linux' && statfsSync('/dev/shm').type === tmpfs

/**
 * Writes the text in `new` to the start of a file, through a mapping that was read before (mmap(2), MAP_POPULATE): neither the size nor a time
 * changes. Perl writes to memory by read(2).
 */
const writer = `
  my ($file, $new) = @ARGV;
  open(my $to, '+<', $file) or die; open(my $from, '<', $new) or die;
  my $arm = (uname())[4] =~ /aarch64|arm64/; use POSIX 'uname';
  my $at = syscall($arm ? 222 : 9, 0, 4096, 3, 0x8001, fileno $to, 0);
  syscall($arm ? 63 : 0, fileno $from, $at + 0, -s $new) == -s $new or die;
`

let place: Place
beforeEach(() => {
  place = openPlace(isThere ? '/dev/shm' : '/tmp')
  writeFileSync(path.join(place.project, 'package.json'), '{"scripts":{"test":"node --test"}}\n')
  writeFileSync(path.join(place.project, 'same.txt'), 'same\n')
  writeFileSync(path.join(place.project, 'write.pl'), writer)
  for (const each of ['changed', 'same']) {
    const git = path.join(place.project, 'node_modules', each)
    mkdirSync(git, { recursive: true })
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: git })
    execFileSync('git', ['config', 'core.fsmonitor', 'false'], { cwd: git })
    execFileSync('git', ['config', 'remote.origin.url', `https://example.org/${'a'.repeat(200)}`], { cwd: git })
  }
})
afterEach(() => place[Symbol.asyncDispose]())

const inMapping = (file: string, text: string): string => `printf '${text}' > new; perl write.pl ${file} new; rm new`
/** The content of a file in the project. */
const content = (file: string): string => readFileSync(path.join(place.project, file), 'utf8')

test('a file that was written to through a mapping is named as modified, although its times are as before', async ({ skip }) => {
  skip(!isThere, '/dev/shm is no tmpfs')
  const report = await place.inCell(inMapping('package.json', '{"scripts":{"test":"curl evil.x"}}'))
  expect(content('package.json')).toContain('evil')
  expect(report.changes).toMatchObject({ modified: ['package.json'], created: [], runsLater: [{ path: 'package.json' }] })
})

test('the config of a repository in node_modules that was written to through a mapping runs nothing', async ({ skip }) => {
  skip(!isThere, '/dev/shm is no tmpfs')
  const same = content('node_modules/same/.git/config')
  const text = `[core]\\n\\tfsmonitor = "touch ${place.ran}; false"\\n\\trepositoryformatversion = 0\\n#`
  const report = await place.inCell(inMapping('node_modules/changed/.git/config', text))
  for (const each of ['changed', 'same']) place.useGit(`node_modules/${each}`)
  expect(existsSync(place.ran)).toBe(false)
  expect(report.changes?.laundered?.map((each) => each.path)).toEqual(['node_modules/changed/.git'])
  expect(content('node_modules/same/.git/config')).toBe(same)
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '../../../src/cli/results.ts'
import { inBadPlace } from '../../support/bad-places.ts'
import { makeStage, needsRoot, type Stage } from '../../support/cli.ts'
import { fakePrograms } from '../../support/fake-programs.ts'

const hidden = ['bwrap', 'pasta', 'nft']
const systems = [
  ['Debian', 'ID=debian\n', 'apt-get install --yes bubblewrap passt nftables'],
  ['Ubuntu', 'ID=ubuntu\nID_LIKE=debian\n', 'apt-get install --yes bubblewrap passt nftables'],
  ['a distribution that is derived from Ubuntu', 'ID=other\nID_LIKE="ubuntu debian"\n', 'apt-get install --yes bubblewrap passt nftables'],
  ['Fedora', 'ID=fedora\n', 'dnf install --assumeyes bubblewrap passt nftables'],
  ['Arch', 'ID=arch\n', 'pacman -S --needed --noconfirm bubblewrap passt nftables'],
] as const
/** A package manager that installs what was hidden. Its packages have more names than programs. */
const installs = (stage: Stage): string => `cp -a ${stage.root}/fake/kept/* /usr/bin/`
const lists = 'mount -t tmpfs none /var/lib/apt/lists; touch /var/lib/apt/lists/x_Packages'

describe('paddock doctor --fix', () => {
  needsRoot('hides programs in a mount namespace')

  test.each(systems)('shows the command of %s, and runs nothing without a terminal', async (_, osRelease, command) => {
    using stage = makeStage('root')
    const [name = ''] = command.split(' ')
    const { place, calls } = fakePrograms(stage, osRelease, { [name]: installs(stage) }, { hidden, also: lists })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix'])
    expect(ran.stdout).toContain(`\n  ${command}\nTo run them: paddock doctor --fix --yes\nMissing:\nno bwrap: not installed`)
    expect([ran.code, calls()]).toEqual([1, []])
  })

  test.each(systems)('runs the command of %s with --yes, looks again, and cells work', async (_, osRelease, command) => {
    using stage = makeStage('root')
    const [name = ''] = command.split(' ')
    const { place, calls } = fakePrograms(stage, osRelease, { [name]: installs(stage) }, { hidden, also: lists })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect(calls()).toEqual([command])
    expect([ran.stdout, ran.code]).toEqual(['Cells work here.\nNothing is missing.\n', 0])
  })

  test('a machine on which nothing is missing is not changed', async () => {
    using stage = makeStage('root')
    const { place, calls } = fakePrograms(stage, 'ID=debian\n', { 'apt-get': '' })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect([ran.stdout, ran.stderr, ran.code, calls()]).toEqual(['Cells work here.\nNothing is missing.\n', '', 0, []])
  })

  test('the lists of apt come first on a system without them', async () => {
    using stage = makeStage('root')
    const also = 'mount -t tmpfs none /var/lib/apt/lists'
    const { place, calls } = fakePrograms(stage, 'ID=debian\n', { 'apt-get': '' }, { hidden: ['bwrap'], also })
    await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect(calls()).toEqual(['apt-get update', 'apt-get install --yes bubblewrap'])
  })

  test('on NixOS it names the option and runs nothing', async () => {
    using stage = makeStage('root')
    const { place } = fakePrograms(stage, 'ID=nixos\n', {}, { hidden })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect(ran.stdout).toContain(
      'Add to configuration.nix: environment.systemPackages = with pkgs; [ bubblewrap passt nftables ]; Then run: sudo nixos-rebuild switch\n',
    )
    expect(ran.code).toBe(1)
  })

  test('a user runs the commands with sudo', async () => {
    using stage = makeStage('user')
    const { place, calls } = fakePrograms(stage, 'ID=fedora\n', { sudo: '', dnf: '' }, { hidden: ['bwrap'] })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect(calls()[0]).toBe('sudo dnf install --assumeyes bubblewrap')
    expect(ran.stdout).toMatch(/^Still missing:\nno bwrap: .*\n {3}→ Run: sudo dnf install bubblewrap\n/)
    expect(ran.code).toBe(1)
  })

  // sudo searches the PATH of its caller if sudoers(5) sets no secure_path, and root's own programs search theirs.
  test.each(['root', 'user'] as const)('root runs no program of a project that is first in PATH, as %s', async (who) => {
    using stage = makeStage(who)
    const scripts = { sudo: 'exec "$@"', dnf: 'rpm --version' }
    const { place, calls } = fakePrograms(stage, 'ID=fedora\n', { ...scripts, rpm: '' }, { hidden: ['bwrap'] })
    for (const each of ['sudo', 'dnf', 'rpm'])
      stage.put(`node_modules/.bin/${each}`, `#!/bin/sh\necho "the project's ${each}" >> ${stage.root}/fake/calls\n`)
    const planted = path.join(stage.project, 'node_modules/.bin')
    const prepare = `${place.prepare}\nchmod -R a+rx ${planted}\nexport PATH=${planted}:$PATH`
    await inBadPlace(stage, { ...place, prepare }, ['doctor', '--fix', '--yes'])
    const command = 'dnf install --assumeyes bubblewrap'
    const expected = [...(who === 'user' ? [`sudo ${command}`] : []), command, 'rpm --version']
    expect(calls().slice(0, expected.length)).toEqual(expected)
    expect(calls().join('\n')).not.toContain("the project's")
  })

  test('a user without sudo gets one sentence with one command for the administrator', async () => {
    using stage = makeStage('user')
    const also = 'chmod 0600 /dev/net/tun'
    const { place, calls } = fakePrograms(stage, 'ID=debian\n', { 'apt-get': '' }, { hidden: ['bwrap', 'sudo'], also: `${lists}; ${also}` })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix'])
    expect(ran.stdout).toBe(
      'This needs root, and sudo is not installed. Ask an administrator to run: apt-get install --yes bubblewrap && chmod 0666 /dev/net/tun\n',
    )
    expect([ran.stderr, ran.code, calls()]).toEqual(['', 1, []])
    // Without cells, no guarantee is broken.
    for (const args of [
      ['run', '--quiet', '--', 'true'],
      ['verify', '--only', 'home-absent'],
    ]) {
      const refused = await inBadPlace(stage, place, args)
      expect([refused.stdout, refused.stderr, refused.code]).toEqual([
        '',
        'paddock: UNENFORCEABLE: bwrap is not installed; it is needed to build cells.\n  hint: Ask an administrator to run: apt-get install bubblewrap\n',
        125,
      ])
    }
    const unknown = await inBadPlace(stage, place, ['verify', '--only', 'home-abcent'])
    expect([unknown.stderr, unknown.code]).toEqual([
      'paddock: BAD_INPUT: --only home-abcent: that guarantee does not exist.\n  hint: Did you mean home-absent? The names are in docs/GUARANTEES.md, and in: paddock verify --recorded\n',
      2,
    ])
  })

  test('a command that fails is named, and the commands after it do not run', async () => {
    using stage = makeStage('root')
    const also = 'mount -t tmpfs none /var/lib/apt/lists'
    const { place, calls } = fakePrograms(stage, 'ID=debian\n', { 'apt-get': 'exit 100' }, { hidden: ['bwrap'], also })
    const ran = await inBadPlace(stage, place, ['doctor', '--fix', '--yes'])
    expect(ran.stdout).toMatch(/^apt-get update ended with 100, so the commands after it were not run\.\nStill missing:\nno bwrap/)
    expect([ran.code, calls()]).toEqual([1, ['apt-get update']])
  })

  test('--json is the same as data, and runs nothing without --yes', async () => {
    using stage = makeStage('root')
    const { place, calls } = fakePrograms(
      stage,
      'NAME="Arch"\nPRETTY_NAME="Arch Linux"\nID=arch\n',
      { pacman: installs(stage) },
      { hidden },
    )
    const command = 'pacman -S --needed --noconfirm bubblewrap passt nftables'
    const fix = async (...more: string[]): Promise<Result<'doctor'>> =>
      JSON.parse((await inBadPlace(stage, place, ['doctor', '--fix', '--json', ...more])).stdout)
    expect(await fix()).toMatchObject({
      ok: false,
      fix: { distribution: 'Arch Linux', commands: [{ command, exitCode: null }], byHand: [] },
    })
    expect(calls()).toEqual([])
    expect(await fix('--yes')).toMatchObject({ ok: true, fix: { commands: [{ command, exitCode: 0 }] } })
    expect(calls()).toEqual([command])
  })

  test.each([
    ['n', []],
    ['y', ['dnf install --assumeyes bubblewrap']],
  ] as const)('on a terminal it asks; the answer %s', async (answer, expected) => {
    using stage = makeStage('root')
    const { place, calls } = fakePrograms(stage, 'ID=fedora\n', { dnf: installs(stage) }, { hidden: ['bwrap'] })
    const inside = ['sh', '-c', 'script --quiet --return --command "$*" /dev/null', 'sh']
    const ran = await inBadPlace(stage, { ...place, inside }, ['doctor', '--fix'], `${answer}\n`)
    expect(ran.stdout).toMatch(/\n {2}dnf install --assumeyes bubblewrap\r\n.*Run them now\? \[Y\/n\]/)
    expect([calls(), ran.code]).toEqual([expected, answer === 'y' ? 0 : 1])
  })

  test('a kernel setting is changed now and for later starts', async () => {
    using stage = makeStage('root')
    const { place } = fakePrograms(
      stage,
      'ID=debian\n',
      {},
      { also: `mkdir ${stage.root}/sysctl; mount --bind ${stage.root}/sysctl /etc/sysctl.d` },
    )
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces; "$@"; cat /proc/sys/user/max_user_namespaces'
    const within = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh']
    const ran = await inBadPlace(stage, { ...place, within }, ['doctor', '--fix', '--yes'])
    expect(ran.stdout).not.toContain('are forbidden by')
    expect(ran.stdout).toMatch(/\n15000\n$/)
    expect(readFileSync(path.join(stage.root, 'sysctl/60-paddock-max_user_namespaces.conf'), 'utf8')).toBe(
      'user.max_user_namespaces=15000\n',
    )
  })
})

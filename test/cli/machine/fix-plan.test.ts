import { describe, expect, test } from 'vitest'
import { limitCause } from '../../../src/cell/backends/causes/limit-causes.ts'
import { commandLine, type FixFacts, fixPlan } from '../../../src/cli/machine/fix-plan.ts'
import { parseDistribution } from '../../../src/system/distribution.ts'
import { installCommand, packageOf } from '../../../src/system/packages.ts'

const debian: FixFacts = { family: 'debian', hasPackageLists: true }
const lines = (...[remedies, facts]: Parameters<typeof fixPlan>): readonly string[] => {
  const { commands, byHand } = fixPlan(remedies, facts)
  return [...commands.map((each) => commandLine(each, false)), ...byHand]
}

describe('what paddock doctor --fix would run', () => {
  test('loads the AppArmor profile of the package', () => {
    expect(lines([{ kind: 'apparmor' }, { kind: 'apparmor' }], debian)).toEqual(['sh /usr/share/paddock/apparmor/install.sh'])
  })

  test('loads a module, now and at later starts', () => {
    expect(lines([{ kind: 'module', name: 'tun' }], debian)).toEqual([
      'modprobe tun',
      "sh -c 'printf '\\''%s\\n'\\'' tun > /etc/modules-load.d/paddock.conf'",
    ])
  })

  test('lets systemd delegate control groups', () => {
    const [make, write, reload, next] = lines([{ kind: 'delegate' }], debian)
    expect([make, reload, next]).toEqual([
      'mkdir -p /etc/systemd/system/user@.service.d',
      'systemctl daemon-reload',
      'Log in again, so that systemd delegates control groups to your session',
    ])
    expect(write).toContain('Delegate=cpu cpuset io memory pids')
  })

  test('changes nothing on NixOS, but names each option', () => {
    const nixos: FixFacts = { family: 'nixos', hasPackageLists: false }
    const rebuild = 'Then run: sudo nixos-rebuild switch'
    expect(
      fixPlan(
        [
          { kind: 'sysctl', name: 'user.max_user_namespaces', value: '15000' },
          { kind: 'module', name: 'tun' },
          { kind: 'program', name: 'pasta' },
        ],
        nixos,
      ),
    ).toEqual({
      commands: [],
      byHand: [
        `Add to configuration.nix: environment.systemPackages = with pkgs; [ passt ]; ${rebuild}`,
        `Add to configuration.nix: boot.kernel.sysctl."user.max_user_namespaces" = 15000; ${rebuild}`,
        `Add to configuration.nix: boot.kernelModules = [ "tun" ]; ${rebuild}`,
      ],
    })
  })

  test('names the packages for an unknown distribution', () => {
    expect(lines([{ kind: 'program', name: 'bwrap' }], { family: null, hasPackageLists: false })).toEqual([
      'Install these packages: bubblewrap',
    ])
  })

  test('starts with sudo for a user', () => {
    expect(commandLine(['sysctl', '-w', 'a=1'], true)).toBe('sudo sysctl -w a=1')
  })
})

test('packages have the names of each distribution', () => {
  expect((['debian', 'fedora', 'arch', 'alpine'] as const).map((each) => packageOf('perl', each))).toEqual([
    'perl-base',
    'perl',
    'perl',
    'perl',
  ])
  expect(installCommand(['unshare', 'nsenter', 'git'], 'alpine', false)).toEqual(['apk', 'add', 'util-linux', 'git'])
})

test.each([
  ['ID=debian\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n', 'debian', 'Debian GNU/Linux 13 (trixie)'],
  ["ID='linuxmint'\nID_LIKE='ubuntu debian'\n", 'debian', 'linuxmint'],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'fedora', 'rocky'],
  ['ID=manjaro\nID_LIKE=arch\n', 'arch', 'manjaro'],
  ['ID=alpine\n', 'alpine', 'alpine'],
  ['ID=gentoo\n', null, 'gentoo'],
  ['', null, 'this system'],
] as const)('os-release %j is of the family %s', (text, family, name) => {
  expect(parseDistribution(text)).toEqual({ family, name })
})

describe('why limits cannot be held for a cell as a whole', () => {
  const facts = { isRoot: false, container: null, wsl: null, user: 'u', hasSystemd: false, hasSession: false, hasCgroup2: true } as const

  test.each([
    ['in a container', { container: 'docker' }, 'the container has no control groups that may be written to', []],
    ['in WSL 2 without systemd', { wsl: 2 }, 'WSL runs without systemd', []],
    [
      'without delegation of cgroup v2',
      { hasSystemd: true, hasSession: true },
      'systemd does not delegate the controllers of cgroup v2 to your session',
      [{ kind: 'delegate' }],
    ],
    ['without a systemd session', { hasSystemd: true }, 'you have no systemd session', [{ kind: 'linger', user: 'u' }]],
    ['as root without systemd', { isRoot: true }, 'the root of cgroup v2 hands no controllers to its groups', []],
    ['on other systems', {}, 'no control group may be made here, and systemd-run does not answer', []],
  ] as const)('%s', (_, more, why, remedies) => {
    const cause = limitCause({ ...facts, ...more })
    expect([cause.why, cause.remedies ?? []]).toEqual([why, remedies])
  })

  test('WSL 2 gets the two steps that start systemd', () => {
    expect(limitCause({ ...facts, wsl: 2 }).hint).toBe(
      'Add systemd=true below [boot] in /etc/wsl.conf, then run in PowerShell: wsl --shutdown',
    )
  })
})

import { describe, expect, test } from 'vitest'
import { causeOf } from '../../src/cell/backends/causes/build-causes.ts'
import { type BuildFacts, wslVersion } from '../../src/cell/backends/causes/build-facts.ts'
import { rootHint } from '../../src/system/as-root.ts'

const facts: BuildFacts = {
  isRoot: false,
  settings: { 'user.max_user_namespaces': '30000', 'user.max_net_namespaces': '30000' },
  hasUserNamespaces: true,
  isFiltered: false,
  container: null,
  isChroot: null,
  maskedProc: [],
  wsl: null,
  hasProfile: false,
}
const unshareRefused = 'unshare: unshare failed: Operation not permitted'
const appArmor = { settings: { ...facts.settings, 'kernel.apparmor_restrict_unprivileged_userns': '1' } }
const byAppArmor = 'AppArmor forbids user namespaces to programs without a profile (kernel.apparmor_restrict_unprivileged_userns=1)'
const loads = rootHint('sh /usr/share/paddock/apparmor/install.sh')
const noProc = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted"

describe('the cause of a cell that could not be built', () => {
  test.each<[string, string, Partial<BuildFacts>, string, string]>([
    [
      'Debian’s setting',
      unshareRefused,
      { settings: { ...facts.settings, 'kernel.unprivileged_userns_clone': '0' } },
      'user namespaces are forbidden by kernel.unprivileged_userns_clone=0',
      rootHint('sysctl -w kernel.unprivileged_userns_clone=1'),
    ],
    [
      'a setting for network namespaces',
      'unshare: unshare failed: No space left on device',
      { settings: { ...facts.settings, 'user.max_net_namespaces': '0' } },
      'net namespaces are forbidden by user.max_net_namespaces=0',
      rootHint('sysctl -w user.max_net_namespaces=15000'),
    ],
    [
      'a file system of which the kernel makes no overlay',
      'paddock-overlays: /home/an n: no overlay: Invalid argument',
      {},
      'the kernel makes no overlay of /home/an n, which cells of L1 need',
      "Use --posture L2, or move '/home/an n' to a file system that can be part of an overlay",
    ],
    [
      'a file system without idmapped mounts',
      'paddock-stage: /home/ann: no idmapped mount: Invalid argument',
      {},
      'the kernel makes no idmapped mount of /home/ann, which cells need if root starts them',
      'Run Paddock as an ordinary user, or work in a directory on another file system',
    ],
    [
      'a small limit',
      'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
      { settings: { 'user.max_user_namespaces': '10' } },
      'the limit of namespaces is reached (user.max_user_namespaces=10)',
      rootHint('sysctl -w user.max_user_namespaces=15000'),
    ],
    [
      'AppArmor, which refuses the namespace, with Paddock’s profile on disk',
      'unshare: unshare failed: Permission denied',
      { ...appArmor, hasProfile: true },
      byAppArmor,
      loads,
    ],
    [
      'AppArmor, which permits a namespace without capabilities',
      'bwrap: setting up uid map: Permission denied',
      { ...appArmor, hasProfile: true },
      byAppArmor,
      loads,
    ],
    [
      'AppArmor, which denies the capabilities in unshare’s namespace',
      'unshare: write failed /proc/self/uid_map: Operation not permitted',
      appArmor,
      byAppArmor,
      `Install the Debian package of Paddock, which has a profile. ${rootHint('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0')} if you cannot`,
    ],
    [
      'AppArmor, which denies the network',
      'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
      { ...appArmor, hasProfile: true },
      byAppArmor,
      loads,
    ],
    [
      'a filter of Docker, also on a host with the rule of Ubuntu',
      unshareRefused,
      { ...appArmor, isFiltered: true, container: 'docker' },
      'a system call filter (seccomp) of the container around Paddock forbids namespaces',
      'Add to docker run: --security-opt seccomp=FILE --security-opt systempaths=unconfined; FILE is seccomp.json, next to the packages of Paddock',
    ],
    [
      'a filter of Podman',
      unshareRefused,
      { isFiltered: true, container: 'podman' },
      'a system call filter (seccomp) of the container around Paddock forbids namespaces',
      "Add to podman run: --security-opt seccomp=FILE --security-opt 'unmask=/proc/*'; FILE is seccomp.json, next to the packages of Paddock",
    ],
    [
      'a filter of Kubernetes',
      unshareRefused,
      { isFiltered: true, container: 'kubernetes' },
      'a system call filter (seccomp) of the container around Paddock forbids namespaces',
      'Set in the securityContext of the container: seccompProfile: {type: Localhost, localhostProfile: FILE}',
    ],
    [
      'a chroot in a filtered process',
      unshareRefused,
      { isFiltered: true, isChroot: true },
      'the kernel forbids user namespaces in a chroot',
      'Enter the directory with pivot_root instead of chroot, as systemd-nspawn --directory does',
    ],
    [
      'the masks of Docker',
      noProc,
      { isFiltered: true, container: 'docker', maskedProc: ['/proc/kcore'] },
      'parts of /proc are masked here, so a cell cannot have its own',
      'Add to docker run: --security-opt systempaths=unconfined',
    ],
    [
      'the masks of Podman',
      noProc,
      { container: 'podman' },
      'parts of /proc are masked here, so a cell cannot have its own',
      "Add to podman run: --security-opt 'unmask=/proc/*'",
    ],
    [
      'the masks of Kubernetes',
      noProc,
      { container: 'kubernetes' },
      'parts of /proc are masked here, so a cell cannot have its own',
      'Set in the securityContext of the container: procMount: Unmasked, and in the pod: hostUsers: false',
    ],
    [
      'the AppArmor profile of Docker, for root',
      'paddock-stage: cannot make mounts private: Permission denied',
      { ...appArmor, isRoot: true, container: 'docker', isFiltered: true },
      'the container forbids mounts, even to root',
      'Add to docker run: --security-opt apparmor=unconfined',
    ],
    [
      'a security module that refuses mounts to root',
      'paddock-stage: cannot make mounts private: Permission denied',
      { isRoot: true },
      'this system forbids mounts, even to root',
      'Run Paddock as an ordinary user',
    ],
    [
      'the first WSL',
      'unshare: unshare failed: Invalid argument',
      { wsl: 1 },
      'WSL 1 has no namespaces',
      'Run in PowerShell: wsl --set-version DISTRIBUTION 2',
    ],
    [
      'a kernel without user namespaces',
      'bwrap: Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.',
      {},
      'the kernel has no user namespaces',
      'Start a kernel that was built with CONFIG_USER_NS',
    ],
  ])('%s', (_, printed, more, why, hint) => {
    expect(causeOf(printed, { ...facts, ...more })).toMatchObject({ why, hint })
  })

  test('it is unknown for other failures', () => {
    expect(causeOf("bwrap: Can't find source path /x: No such file or directory", facts)).toBeNull()
    expect(causeOf('', { ...facts, isFiltered: true })).toBeNull()
    expect(causeOf("bwrap: Can't create file at /x: No space left on device", facts)).toBeNull()
  })

  test('the release of the kernel tells the versions of WSL apart', () => {
    const releases = ['5.15.167.4-microsoft-standard-WSL2', '4.4.0-19041-Microsoft\n', '6.1.0-18-amd64']
    expect(releases.map(wslVersion)).toEqual([2, 1, null])
  })
})

import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { type Mount, mountsOf } from '../../../system/mounts.ts'

/** The facts about this machine that decide why a cell cannot be built. They are read only after a failure. */
export interface BuildFacts {
  readonly isRoot: boolean
  /** Kernel settings by name, such as `user.max_user_namespaces`. Settings that the kernel does not have are absent. */
  readonly settings: Readonly<Record<string, string>>
  /** False: the kernel was built without user namespaces. */
  readonly hasUserNamespaces: boolean
  /** True: a system call filter (seccomp(2)) restricts this process. */
  readonly isFiltered: boolean
  /** The program that made the container around this process; `other`: a container of an unknown program; null: none was recognized. */
  readonly container: 'docker' | 'podman' | 'kubernetes' | 'other' | null
  /** True: the root of this process is not the root of its mount namespace. Null: unknown. */
  readonly isChroot: boolean | null
  /** Paths below /proc that something is mounted on, without those that are so on every system. */
  readonly maskedProc: readonly string[]
  /** The version of the Windows Subsystem for Linux; null: this is not WSL. */
  readonly wsl: 1 | 2 | null
  /** True: Paddock's Debian package has put its AppArmor profile and the script that loads it here. */
  readonly hasProfile: boolean
}

/** The script of Paddock's Debian package that loads its AppArmor profile (packaging/apparmor). */
export const profileScript = '/usr/share/paddock/apparmor/install.sh'

const namespaces = ['user', 'mnt', 'net', 'pid', 'ipc', 'uts', 'cgroup'].map((each) => `user.max_${each}_namespaces`)
const settings = [...namespaces, 'kernel.unprivileged_userns_clone', 'kernel.apparmor_restrict_unprivileged_userns']

export function readBuildFacts(): BuildFacts {
  const mounts = attempt(() => mountsOf('self')) ?? []
  return {
    isRoot: process.getuid?.() === 0,
    settings: Object.fromEntries(
      settings.flatMap((name) => {
        const value = textOf(`/proc/sys/${name.replaceAll('.', '/')}`).trim()
        return value === '' ? [] : [[name, value]]
      }),
    ),
    hasUserNamespaces: existsSync('/proc/self/ns/user'),
    isFiltered: /^Seccomp:\s*2$/m.test(textOf('/proc/self/status')),
    container: containerAround(mounts),
    isChroot: isChroot(mounts),
    maskedProc: mounts.flatMap(({ at }) => (at.startsWith('/proc/') && at !== '/proc/sys/fs/binfmt_misc' ? [at] : [])),
    wsl: wslVersion(textOf('/proc/sys/kernel/osrelease')),
    hasProfile: existsSync(profileScript),
  }
}

/** Returns the version of WSL from the release of its kernel, such as `5.15.167.4-microsoft-standard-WSL2` or `4.4.0-19041-Microsoft`. */
export function wslVersion(osrelease: string): 1 | 2 | null {
  if (!/microsoft/i.test(osrelease)) return null
  return /-Microsoft\s*$/.test(osrelease) ? 1 : 2
}

/** A machine that was made from an image of Docker has the file, but not the mount that Docker makes in every container. */
function containerAround(mounts: readonly Mount[]): BuildFacts['container'] {
  if (existsSync('/run/.containerenv')) return 'podman'
  if (existsSync('/var/run/secrets/kubernetes.io') || existsSync('/run/secrets/kubernetes.io')) return 'kubernetes'
  if (existsSync('/.dockerenv') && mounts.some(({ at }) => at === '/etc/hosts')) return 'docker'
  return textOf('/run/systemd/container') === '' ? null : 'other'
}

/**
 * A mount namespace whose `/` is not among the mounts that this process sees was left by chroot(2). If it is, only the root of the init can
 * be compared, which root may see, and only in the same mount namespace.
 */
function isChroot(mounts: readonly Mount[]): boolean | null {
  if (mounts.length > 0 && !mounts.some(({ at }) => at === '/')) return true
  if (attempt(() => readlinkSync('/proc/1/ns/mnt') === readlinkSync('/proc/self/ns/mnt')) !== true) return null
  return attempt(() => {
    const [own, first] = [statSync('/'), statSync('/proc/1/root/')]
    return own.dev !== first.dev || own.ino !== first.ino
  })
}

/** Returns the content of a file, or the names in a directory; empty if neither is possible. */
function textOf(file: string): string {
  return attempt(() => readFileSync(file, 'utf8')) ?? attempt(() => readdirSync(file).join('\n')) ?? ''
}

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

import type { Remedy } from '../../../base/fixable-error.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { rootHint } from '../../../system/as-root.ts'
import { type BuildFacts, profileScript } from './build-facts.ts'

/** The reason why a cell cannot be built on this machine. */
export interface Cause {
  /** A clause without a period that follows "The cell could not be built: ". */
  readonly why: string
  readonly hint: string
  readonly remedies?: readonly Remedy[]
}

/** The step at which the programs that build a cell failed, and the system's error (errno(3)). */
interface Failure {
  readonly step: 'namespace' | 'map' | 'proc' | 'mount' | 'other'
  readonly error: 'EPERM' | 'EACCES' | 'ENOSPC' | 'EINVAL' | 'ENOSYS' | 'other'
  /** The directory of which there could be no overlay (`overlays.pl`), or null. */
  readonly overlay: string | null
  /** The directory of which there could be no idmapped mount (`stage.pl`), or null. */
  readonly unmapped: string | null
}

type Row = (failure: Failure, facts: BuildFacts) => Cause | null

/** The first row that returns a cause decides. Kernel settings come before what can only be concluded from an error. */
const table: readonly Row[] = [
  function oldWsl(_, { wsl }) {
    return wsl === 1 ? { why: 'WSL 1 has no namespaces', hint: 'Run in PowerShell: wsl --set-version DISTRIBUTION 2' } : null
  },
  function noUserNamespaces({ step, error }, { hasUserNamespaces, isFiltered }) {
    const isUnknown = step === 'namespace' && (error === 'EINVAL' || (error === 'ENOSYS' && !isFiltered))
    if (hasUserNamespaces && !isUnknown) return null
    return { why: 'the kernel has no user namespaces', hint: 'Start a kernel that was built with CONFIG_USER_NS' }
  },
  function forbiddenBySetting({ step, error }, { settings }) {
    if (step !== 'namespace') return null
    if (settings[cloneSetting] === '0' && error === 'EPERM') return forbidden(cloneSetting, '0', '1')
    if (error !== 'ENOSPC') return null
    const zero = Object.keys(settings).find((name) => isLimit(name) && settings[name] === '0')
    if (zero !== undefined) return forbidden(zero, '0', enough)
    const small = Object.keys(settings).find((name) => isLimit(name) && Number(settings[name]) < Number(enough))
    if (small === undefined)
      return { why: 'the limit of namespaces is reached', hint: 'End cells and containers that are not needed, and try again' }
    return { ...forbidden(small, settings[small] ?? '', enough), why: `the limit of namespaces is reached (${small}=${settings[small]})` }
  },
  function mountsForbiddenInContainer({ step, error }, { container, isRoot }) {
    if (step !== 'mount' || container === null || error !== 'EACCES') return null
    const how = `${addTo(container)}--security-opt apparmor=unconfined`
    return {
      why: `the container forbids mounts${isRoot ? ', even to root' : ''}`,
      hint: container === 'kubernetes' ? 'Set in the securityContext of the container: appArmorProfile: {type: Unconfined}' : how,
    }
  },
  function restrictedByAppArmor({ step, error }, { settings, hasProfile }) {
    const isRestricted = settings[appArmorSetting] === '1'
    if (!isRestricted || step === 'proc' || !(error === 'EACCES' || (error === 'EPERM' && step !== 'namespace'))) return null
    const why = `AppArmor forbids user namespaces to programs without a profile (${appArmorSetting}=1)`
    if (!hasProfile)
      return {
        why,
        hint: `Install the Debian package of Paddock, which has a profile. ${rootHint(`sysctl -w ${appArmorSetting}=0`)} if you cannot`,
      }
    return { why, hint: rootHint(`sh ${profileScript}`), remedies: [{ kind: 'apparmor' }] }
  },
  function maskedProc({ step, error }, { container, maskedProc: masked }) {
    if (step !== 'proc' || !isRefusal(error)) return null
    const names = masked.slice(0, 3).map(shellWord)
    const hints = {
      docker: 'Add to docker run: --security-opt systempaths=unconfined',
      podman: "Add to podman run: --security-opt 'unmask=/proc/*'",
      kubernetes: 'Set in the securityContext of the container: procMount: Unmasked, and in the pod: hostUsers: false',
      other: 'Start the container without masks over /proc',
    }
    const unmask = names.length === 0 ? 'Remove what is mounted over parts of /proc' : rootHint(`umount ${names.join(' ')}`)
    return { why: 'parts of /proc are masked here, so a cell cannot have its own', hint: container === null ? unmask : hints[container] }
  },
  function chroot({ step, error }, { isChroot, isFiltered }) {
    if (step !== 'namespace' || error !== 'EPERM' || !(isChroot ?? !isFiltered)) return null
    return {
      why: 'the kernel forbids user namespaces in a chroot',
      hint: 'Enter the directory with pivot_root instead of chroot, as systemd-nspawn --directory does',
    }
  },
  function filtered({ step, error }, { isFiltered, container }) {
    if (!isFiltered || step === 'proc' || step === 'other' || (error !== 'EPERM' && error !== 'ENOSYS')) return null
    const filter = 'seccomp=FILE --security-opt systempaths=unconfined'
    const hints = {
      docker: `Add to docker run: --security-opt ${filter}; FILE is seccomp.json, next to the packages of Paddock`,
      podman:
        "Add to podman run: --security-opt seccomp=FILE --security-opt 'unmask=/proc/*'; FILE is seccomp.json, next to the packages of Paddock",
      kubernetes: 'Set in the securityContext of the container: seccompProfile: {type: Localhost, localhostProfile: FILE}',
      other: 'Start the container with a filter that allows namespaces and mounts',
    }
    const unit = 'In the unit of the service that starts Paddock, set RestrictNamespaces=no and remove SystemCallFilter='
    return {
      why: `a system call filter (seccomp) of the ${container === null ? 'service or container' : 'container'} around Paddock forbids namespaces`,
      hint: container === null ? unit : hints[container],
    }
  },
  function overlayRefused({ overlay }) {
    if (overlay === null) return null
    const hint = `Use --posture L2, or move ${shellWord(overlay)} to a file system that can be part of an overlay`
    return { why: `the kernel makes no overlay of ${overlay}, which cells of L1 need`, hint }
  },
  function notIdmapped({ unmapped }) {
    if (unmapped === null) return null
    const why = `the kernel makes no idmapped mount of ${unmapped}, which cells need if root starts them`
    return { why, hint: 'Run Paddock as an ordinary user, or work in a directory on another file system' }
  },
  function mountsForbidden({ step, error }, { isRoot }) {
    if (step !== 'mount' || !isRefusal(error)) return null
    return {
      why: `this system forbids mounts${isRoot ? ', even to root' : ''}`,
      hint: isRoot ? 'Run Paddock as an ordinary user' : 'Look for the security module that refuses them: dmesg | tail',
    }
  },
]

const enough = '15000'
const cloneSetting = 'kernel.unprivileged_userns_clone'
const appArmorSetting = 'kernel.apparmor_restrict_unprivileged_userns'
const isLimit = (name: string): boolean => /^user\.max_\w+_namespaces$/.test(name)
const isRefusal = (error: Failure['error']): boolean => error === 'EPERM' || error === 'EACCES'

/** Returns the start of a hint that adds an option to the command that starts a container. */
const addTo = (container: string): string =>
  container === 'docker' || container === 'podman' ? `Add to ${container} run: ` : 'Start the container with '

function forbidden(name: string, value: string, better: string): Cause {
  return {
    why: `${/max_(\w+)_/.exec(name)?.[1] ?? 'user'} namespaces are forbidden by ${name}=${value}`,
    hint: rootHint(`sysctl -w ${name}=${better}`),
    remedies: [{ kind: 'sysctl', name, value: better }],
  }
}

/** Returns the cause of a failure from the output of the programs that build a cell. Null: it is not known. Pure. */
export function causeOf(printed: string, facts: BuildFacts): Cause | null {
  const failure = failureIn(printed)
  for (const row of table) {
    const cause = row(failure, facts)
    if (cause !== null) return cause
  }
  return null
}

const steps: readonly (readonly [Failure['step'], RegExp])[] = [
  ['proc', /mount proc on/i],
  ['map', /[ug]id[_ ]map|setgroups|RTM_|loopback/i],
  ['namespace', /unshare failed|new namespace|no (?:mount|user) namespace/i],
  ['mount', /mount|pivot_root|make \/ slave|staged|staging/i],
]
const errors: readonly (readonly [Failure['error'], RegExp])[] = [
  ['EPERM', /Operation not permitted|No permissions to create/],
  ['EACCES', /Permission denied/],
  ['ENOSPC', /No space left on device|ENOSPC/],
  ['EINVAL', /Invalid argument|does not support user namespaces/],
  ['ENOSYS', /Function not implemented/],
]

/** The messages are those of unshare(1), bwrap(1), `stage.pl` and `overlays.pl`. */
function failureIn(printed: string): Failure {
  const named = <T>(names: readonly (readonly [T, RegExp])[]): T | undefined => names.find(([, pattern]) => pattern.test(printed))?.[0]
  const [overlay = null, unmapped = null] = [/^paddock-overlays: (.*): no overlay: /m, /^paddock-stage: (.*): no idmapped mount: /m].map(
    (each) => each.exec(printed)?.[1] ?? null,
  )
  return { step: named(steps) ?? 'other', error: named(errors) ?? 'other', overlay, unmapped }
}

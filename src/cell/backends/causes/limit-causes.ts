import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { rootHint } from '../../../system/as-root.ts'
import type { Cause } from './build-causes.ts'
import { type BuildFacts, readBuildFacts } from './build-facts.ts'

/** The facts that decide why limits cannot be held for a cell as a whole. They are read only after a failure, and by `paddock doctor`. */
export interface LimitFacts extends Pick<BuildFacts, 'isRoot' | 'container' | 'wsl'> {
  readonly user: string
  /** True: systemd is the init of this system (sd_booted(3)). */
  readonly hasSystemd: boolean
  /** True: the user has a systemd session. */
  readonly hasSession: boolean
  /** True: cgroup v2 is mounted at the usual place. */
  readonly hasCgroup2: boolean
}

export function readLimitFacts(sessionEnv: Readonly<Record<string, string>>): LimitFacts {
  const { isRoot, container, wsl } = readBuildFacts()
  const runtime = sessionEnv['XDG_RUNTIME_DIR']
  return {
    ...{ isRoot, container, wsl, user: nameOfUser() },
    hasSystemd: existsSync('/run/systemd/system'),
    hasSession: runtime !== undefined && existsSync(path.join(runtime, 'systemd')),
    hasCgroup2: existsSync('/sys/fs/cgroup/cgroup.controllers'),
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

const tryAgain = 'then log in again'

/** Returns why this machine cannot hold a limit of memory or of processor time for a cell as a whole, and the fix. Pure. */
export function limitCause({ isRoot, container, wsl, user, hasSystemd, hasSession, hasCgroup2 }: LimitFacts): Cause {
  if (container !== null)
    return { why: 'the container has no control groups that may be written to', hint: 'Run Paddock outside of the container' }
  if (wsl === 2 && !hasSystemd)
    return {
      why: 'WSL runs without systemd',
      hint: 'Add systemd=true below [boot] in /etc/wsl.conf, then run in PowerShell: wsl --shutdown',
    }
  if (isRoot && hasCgroup2 && !hasSystemd)
    return {
      why: 'the root of cgroup v2 hands no controllers to its groups',
      hint: "Run: echo '+memory +pids +cpu' > /sys/fs/cgroup/cgroup.subtree_control",
    }
  if (hasSystemd && hasSession)
    return {
      why: 'systemd does not delegate the controllers of cgroup v2 to your session',
      hint: `Run: paddock doctor --fix, ${tryAgain}`,
      remedies: [{ kind: 'delegate' }],
    }
  if (hasSystemd && !isRoot)
    return {
      why: 'you have no systemd session',
      hint: `${rootHint(`loginctl enable-linger ${user}`)}, ${tryAgain}`,
      remedies: [{ kind: 'linger', user }],
    }
  return {
    why: 'no control group may be made here, and systemd-run does not answer',
    hint: `Run ${isRoot ? 'on a system with writable control groups' : 'as root, or in a systemd user session'}`,
  }
}

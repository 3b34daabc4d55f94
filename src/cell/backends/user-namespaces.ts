import { readFileSync } from 'node:fs'
import type { Check } from '../backend-facts.ts'

const settings = [
  {
    file: '/proc/sys/user/max_user_namespaces',
    closed: '0',
    detail: 'closed by user.max_user_namespaces=0',
    hint: 'Run: sudo sysctl -w user.max_user_namespaces=15000',
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    closed: '0',
    detail: 'closed by kernel.unprivileged_userns_clone=0',
    hint: 'Run: sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    closed: '1',
    detail: 'restricted by AppArmor to programs with a profile',
    hint: 'Give bwrap and unshare a profile that allows userns, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  },
]

/** Returns a check for each kernel setting that disables user namespaces, or a single one if none does. */
export function userNamespaceChecks(): readonly Check[] {
  const name = 'user namespaces'
  const closed = settings.filter(({ file, closed }) => textOf(file) === closed)
  if (closed.length === 0) return [{ name, ok: true, detail: 'not restricted' }]
  return closed.map(({ detail, hint }) => ({ name, ok: false, detail, hint }))
}

/** Returns the value of a kernel setting; empty if the kernel does not have it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

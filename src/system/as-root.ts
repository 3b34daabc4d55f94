import { existsSync } from 'node:fs'

/** The places of sudo(8). The last one is that of NixOS. */
const sudo = ['/usr/bin/sudo', '/bin/sudo', '/usr/local/bin/sudo', '/run/wrappers/bin/sudo']

/** Returns a hint to run these commands as root, in this order: with sudo(8) if it is installed and this process is not root's. */
export function rootHint(...commands: readonly string[]): string {
  if (process.getuid?.() === 0) return `Run: ${commands.join(' && ')}`
  if (!sudo.some((each) => existsSync(each))) return `Ask an administrator to run: ${commands.join(' && ')}`
  return `Run: ${commands.map((each) => `sudo ${each}`).join(' && ')}`
}

import path from 'node:path'
import { PaddockError } from '../base/errors.ts'

/** Directories in a home with credentials, or with what starts by itself. */
const holders = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.mozilla', '.local/bin', '.local/share/keyrings'],
  ...[
    '.config/gcloud',
    '.config/gh',
    '.config/glab-cli',
    '.config/op',
    '.config/rclone',
    '.config/git',
    '.config/fish',
    '.config/autostart',
  ],
  ...['.config/systemd', '.config/environment.d', '.local/share/systemd', '.local/share/applications', '.local/share/dbus-1'],
  ...['.claude', '.codex', '.gemini', '.grok', '.local/share/opencode'],
]

/**
 * Throws NOT_ALLOWED for a project in which an agent could read credentials of the user, or write what starts by itself. `homes`: all paths
 * of the user's home directory. `isRemote`: the project was named over the API, so nothing below `~/.config` and `~/.local` is allowed.
 */
export function refuseAsProject(directory: string, homes: readonly string[], isRemote = false): void {
  for (const home of homes)
    for (const each of [...holders, ...(isRemote ? ['.config', '.local'] : [])]) {
      const holder = path.join(home, each)
      const isAbove = isIn(holder, directory) && isIn(directory, home) && directory !== home
      if (!isIn(directory, holder) && !isAbove) continue
      throw new PaddockError(
        'NOT_ALLOWED',
        `${directory} cannot be a project: ~/${each} has credentials, or files that run by themselves.`,
        {
          hint: 'Copy the files that the agent needs into a directory of their own',
        },
      )
    }
}

function isIn(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

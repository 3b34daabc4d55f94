import { realpathSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { ownCopy } from '../../remotes/own-copy.ts'
import { knownHostsOf } from '../../remotes/remote-store.ts'
import type { SshMeans } from '../../remotes/ssh.ts'

/** Returns the way of this process to other machines. */
export function sshMeans(): SshMeans {
  const launcher = process.argv[1]
  if (launcher === undefined) throw new PaddockError('CELL_FAILED', 'The program of this process is not known, so it cannot be sent.')
  return { env: process.env, knownHosts: knownHostsOf(resolvePaths(process.env)), copy: ownCopy(realpathSync(launcher)) }
}

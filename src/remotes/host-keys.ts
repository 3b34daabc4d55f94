import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { printable } from '../base/text.ts'
import { runProgram } from '../credentials/run-program.ts'
import { writeAtomic } from '../files/atomic.ts'
import { readRegularSync } from '../files/read-regular.ts'
import type { Remote } from './remote-store.ts'
import { aliasOf, type SshMeans, sshProgram, sshWords } from './ssh.ts'

/** The key of a host, as OpenSSH stores it. */
export interface HostKey {
  /** `ssh-ed25519`, for example. */
  readonly type: string
  /** The key in base64. */
  readonly key: string
  /** `SHA256:` and the hash in base64, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string
}

const largest = 1024 ** 2
const patienceMs = 30_000

/**
 * Returns the key that a machine shows, before anybody logs in there.
 * @throws PaddockError CELL_FAILED if it cannot be reached
 */
export async function shownKey(remote: Remote, means: SshMeans): Promise<HostKey> {
  const directory = await mkdtemp(path.join(tmpdir(), 'paddock-host-key-'))
  const knownHosts = path.join(directory, 'known_hosts')
  try {
    const learning = ['StrictHostKeyChecking=accept-new', 'PreferredAuthentications=none', 'HashKnownHosts=no']
    const ended = await runProgram(sshProgram(means), sshWords(remote, { knownHosts }, 'true', learning), { env: means.env, patienceMs })
    const [found] = keysIn(knownHosts, remote.name)
    if (found !== undefined) return found
    const why = ended.kind === 'ended' ? printable(ended.stderr.replaceAll(/\s+/g, ' ').trim()).slice(0, 600).replace(/\.$/, '') : ''
    throw new PaddockError('CELL_FAILED', `${remote.host} cannot be reached${why === '' ? '' : `: ${why}`}.`, {
      hint: 'Give the name that works with ssh',
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Sets the key of a machine in the file of host keys; null: removes it. */
export async function setHostKey(knownHosts: string, name: string, key: HostKey | null): Promise<void> {
  const lines = (readRegularSync(knownHosts, largest) ?? '').split('\n')
  const others = lines.filter((line) => line !== '' && !line.startsWith(`${aliasOf(name)} `))
  const own = key === null ? [] : [`${aliasOf(name)} ${key.type} ${key.key}`]
  await writeAtomic(knownHosts, [...others, ...own].map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

function keysIn(file: string, name: string): readonly HostKey[] {
  return (readRegularSync(file, largest) ?? '').split('\n').flatMap((line) => {
    const [host, type, key] = line.trim().split(/\s+/)
    if (host !== aliasOf(name) || type === undefined || key === undefined) return []
    const digest = hash('sha256', Buffer.from(key, 'base64'), 'base64').replace(/=+$/, '')
    return [{ type, key, fingerprint: `SHA256:${digest}` }]
  })
}

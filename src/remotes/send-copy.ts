import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { requireHostProgram } from '../system/host-program.ts'
import { spawn } from '../system/start-program.ts'
import { setCopies, starter } from './own-copy.ts'
import type { Remote } from './remote-store.ts'
import { NotThere, type SshMeans, sshError, sshProgram, sshWords } from './ssh.ts'

/**
 * Runs what needs Paddock on another machine. If its own copy there is missing, it is sent first.
 * @param say called with a line before something is sent.
 * @throws PaddockError what `act` throws, or UNENFORCEABLE for a machine of another kind
 */
export async function withOwnCopy<T>(remote: Remote, means: SshMeans, say: (line: string) => void, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof NotThere) || remote.program !== null) throw error
    say(`sends this Paddock to ${remote.name}`)
    await sendCopy(remote, means)
    return await act()
  }
}

async function sendCopy(remote: Remote, means: SshMeans): Promise<void> {
  const { id, files } = means.copy
  const machine = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  const script = [
    'set -e',
    `case "$(uname -sm)" in 'Linux ${machine}') ;; *) echo "this Paddock runs on Linux ${machine}, and that machine has $(uname -sm)" >&2; exit 3;; esac`,
    setCopies,
    `new="$copies/${id}.$$"`,
    'trap \'rm -rf "$new"\' EXIT',
    'mkdir -p "$new"',
    'tar -xzf - --no-same-owner -C "$new"',
    `[ -e "$copies/${id}" ] || mv "$new" "$copies/${id}"`,
  ].join('\n')
  const place = mkdtempSync(path.join(tmpdir(), 'paddock-copy-'))
  try {
    for (const [name, file] of files) {
      mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
      symlinkSync(file, path.join(place, name))
    }
    writeFileSync(path.join(place, 'bin/paddock'), starter, { mode: 0o755 })
    const tar = requireHostProgram('tar', means.env['PATH'] ?? '', 'to send Paddock to another machine')
    const left = ['packages', 'man', 'types'].map((each) => `--exclude=dist/${each}`)
    const packing = spawn(tar, ['-czhf', '-', '-C', place, ...left, '.'], { stdio: ['ignore', 'pipe', 'inherit'], env: means.env })
    const sending = spawn(sshProgram(means), sshWords(remote, means, shellScript(script)), {
      stdio: [packing.stdout, 'ignore', 'pipe'],
      env: means.env,
      cwd: '/',
    })
    packing.stdout.destroy()
    let said = ''
    sending.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 4_096) said += chunk.toString('latin1')
    })
    const code = await new Promise<number | null>((resolve, reject) => sending.once('error', reject).once('close', resolve))
    packing.kill()
    if (code === 0) return
    if (code === 3)
      throw new PaddockError('UNENFORCEABLE', `${remote.name}: ${said.trim()}.`, { hint: 'Install Paddock there, and give --program PATH' })
    throw sshError(remote, said)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function shellScript(script: string): string {
  return `/bin/sh -c '${script.replaceAll("'", `'\\''`)}'`
}

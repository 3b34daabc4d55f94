import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { PaddockError } from '../base/errors.ts'
import { shellWord } from '../base/shell-word.ts'
import { printable } from '../base/text.ts'
import { requireHostProgram } from '../system/host-program.ts'
import { spawn } from '../system/start-program.ts'
import { greetingOf, longestGreeting } from './greeting.ts'
import { type OwnCopy, setCopies } from './own-copy.ts'
import type { Remote } from './remote-store.ts'

/** The way to another machine. */
export interface SshMeans {
  readonly env: NodeJS.ProcessEnv
  /** Absolute path of the file with the host keys that the user has agreed to. */
  readonly knownHosts: string
  /** The copy of this Paddock that other machines get. */
  readonly copy: OwnCopy
}

/** The error for a machine on which the program of Paddock is missing. */
export class NotThere extends PaddockError {}

/** Milliseconds until the other machine must have greeted. */
const patienceMs = 30_000

/**
 * Options that hold whatever the user's SSH configuration says: the key of the host must be known, nobody is asked, and nothing of this
 * machine is forwarded.
 */
const options = [
  ...['BatchMode=yes', 'StrictHostKeyChecking=yes', 'UpdateHostKeys=no', 'GlobalKnownHostsFile=none', 'ConnectTimeout=15'],
  ...['ForwardAgent=no', 'ForwardX11=no', 'ClearAllForwardings=yes', 'PermitLocalCommand=no', 'RequestTTY=no', 'ControlPath=none'],
  // Older ones do not have it.
  ...['IgnoreUnknown=KnownHostsCommand', 'KnownHostsCommand=none'],
  ...['RemoteCommand=none', 'VerifyHostKeyDNS=no', 'NoHostAuthenticationForLocalhost=no'],
  ...['ServerAliveInterval=15', 'ServerAliveCountMax=2', 'LogLevel=ERROR'],
]

/** Returns the program of OpenSSH. @throws PaddockError UNENFORCEABLE if it is not installed */
export function sshProgram({ env }: Pick<SshMeans, 'env'>): string {
  return requireHostProgram('ssh', env['PATH'] ?? '', 'to reach other machines')
}

/** Returns the arguments of `ssh` for a command there. `more`: options that come first, so that they count. */
export function sshWords(
  remote: Remote,
  { knownHosts }: Pick<SshMeans, 'knownHosts'>,
  command: string,
  more: readonly string[] = [],
): string[] {
  const { name, host, user, port } = remote
  // ssh replaces %-tokens in a path, and reads quotes around one with spaces.
  const file = `UserKnownHostsFile="${knownHosts.replaceAll('%', '%%')}"`
  const all = [...more, ...options, file, `HostKeyAlias=${aliasOf(name)}`]
  return [
    ...all.flatMap((each) => ['-o', each]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...['--', host, command],
  ]
}

/** Returns the name by which the file of host keys knows a machine, whatever its address is. */
export function aliasOf(name: string): string {
  return `paddock-${name}`
}

/** Returns a command for a login shell of any kind that starts Paddock there, also where only `install.sh` has put it. */
export function paddockThere({ program }: Remote, words: readonly string[], { copy }: Pick<SshMeans, 'copy'>): string {
  const start = program === null ? `${setCopies}; exec "$copies/${copy.id}/bin/paddock"` : `exec ${shellWord(program)}`
  const script = `PATH="$HOME/.local/bin:$PATH"; export PATH; ${start} ${words.map(shellWord).join(' ')}`
  return `/bin/sh -c ${shellWord(script)}`
}

/**
 * Opens a transport to the cell server of another machine, and starts that server if necessary. The connection ends with this process.
 * @param version the version of this Paddock, which the other side must have too.
 * @throws PaddockError CELL_FAILED if the machine cannot be reached or has no such Paddock
 */
export async function sshTransport(
  remote: Remote,
  home: string,
  version: string,
  means: SshMeans,
): Promise<{ readonly readable: Readable; readonly writable: Writable }> {
  const { name } = remote
  const words = sshWords(remote, means, paddockThere(remote, ['cell-server', '--attach', '--home', home], means))
  // In a session of its own, so that Ctrl-C in a terminal reaches the cell and not the connection.
  const child = spawn(sshProgram(means), words, {
    cwd: '/',
    detached: true,
    env: means.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 4_096) said += chunk.toString('latin1')
  })
  child.stdin.on('error', () => undefined)
  // A machine that keeps the connection open would keep this process.
  child.stdin.once('close', () => child.kill())
  const ended = once(child, 'close').then(
    () => null,
    () => null,
  )
  const fail = (why: string, hint: string): PaddockError => {
    child.kill()
    return new PaddockError('CELL_FAILED', `${name}: ${why}.`, { hint })
  }
  const check = `Try: paddock remote check ${name}`
  const first = await Promise.race([firstLine(child.stdout), ended, setTimeout(patienceMs, undefined, { ref: false })])
  if (first === undefined) throw fail(`no answer within ${patienceMs / 1_000} s`, check)
  if (first === null) {
    await ended
    throw isMissing(child.exitCode) ? notThere(remote, said) : sshError(remote, said)
  }
  const there = greetingOf(first)
  if (there === null)
    throw fail(
      `its login shell printed ${JSON.stringify(printable(first).slice(0, 100))} instead of what Paddock prints`,
      'Let its startup files print nothing without a terminal',
    )
  if (there !== version)
    throw fail(`it has Paddock ${there}, and this machine has ${version}`, `Install Paddock ${version} on ${name}, or give --program`)
  return { readable: child.stdout, writable: child.stdin }
}

/** Returns true for the exit code with which a shell says that it found no program. */
export function isMissing(code: number | null): boolean {
  return code === 126 || code === 127
}

export function notThere({ name, program }: Remote, said: string): NotThere {
  const what = program ?? 'its copy of Paddock'
  return new NotThere('CELL_FAILED', `${name}: ${what} does not start (${shortened(said)}).`, {
    hint: `Install Paddock on ${name}, or leave --program out`,
  })
}

/** Returns the error for a connection that failed. `said`: what ssh, or the command there, printed on standard error. */
export function sshError({ name }: Remote, said: string): PaddockError {
  if (/HOST IDENTIFICATION HAS CHANGED|Host key verification failed|host key is known/i.test(said))
    return new PaddockError('NOT_ALLOWED', `${name}: it shows another key than the one that you agreed to.`, {
      hint: `If that is right: paddock remote remove ${name}, then paddock remote add`,
    })
  const why = shortened(said)
  return new PaddockError('CELL_FAILED', `${name}: ${why === '' ? 'the connection ended without an answer' : why}.`, {
    hint: `Try: paddock remote check ${name}`,
  })
}

function shortened(said: string): string {
  return printable(said.replaceAll(/\s+/g, ' ').trim()).slice(0, 600).replace(/\.$/, '')
}

/** Returns the first line of a stream, whose rest is still in it; null if it ends before. */
async function firstLine(stream: Readable): Promise<string | null> {
  let read = Buffer.alloc(0)
  while (!read.includes(10)) {
    const chunk = stream.read() as Buffer | null
    if (chunk !== null) read = Buffer.concat([read, chunk])
    else if (stream.readableEnded || stream.destroyed) return null
    else await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')])
    if (read.length > longestGreeting && !read.subarray(0, longestGreeting).includes(10)) return read.toString('latin1')
  }
  const end = read.indexOf(10)
  stream.unshift(read.subarray(end + 1))
  return read.subarray(0, end).toString('latin1')
}

import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { durationRule, formatDuration, parseDuration } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { Host } from '../../host.ts'
import { readRemotes, remoteNamed } from '../../remotes/remote-store.ts'
import { withOwnCopy } from '../../remotes/send-copy.ts'
import { sshTransport } from '../../remotes/ssh.ts'
import { sshMeans } from '../remote/ssh-means.ts'
import { version } from '../version.ts'
import type { RunOptions } from './options.ts'
import { startLine } from './run-lines.ts'

const usualKeepMs = 10 * 60_000

/** Returns the host as a run sees it whose cell is on another machine. The credentials, the gateway and the log are here. */
export async function openMachine(
  name: string,
  keep: string | undefined,
  host: Host,
  shown: (line: string) => void,
): Promise<AsyncDisposable & { readonly host: Host }> {
  const { paths } = host
  const known = await readRemotes(paths)
  const remote = remoteNamed(known, name)
  const means = sshMeans()
  const connect = () => withOwnCopy(remote, means, shown, () => sshTransport(remote, known.home, version, means))
  const keepMs = keepOf(keep)
  // The first connection fails with its own reason.
  let first: Awaited<ReturnType<typeof connect>> | null = await connect()
  let isLost = false
  const open = async (): ReturnType<typeof connect> => {
    const opened = first
    first = null
    if (opened !== null) return opened
    if (!isLost)
      shown(
        `the connection to ${name} is lost; the cell goes on there, and ends if ${name} is not reached within ${formatDuration(keepMs)}`,
      )
    isLost = true
    const again = await connect()
    isLost = false
    shown(`${name} is reached again`)
    return again
  }
  const elsewhere = await host.elsewhere(open, {
    name,
    userHome: paths.userHome,
    keepMs,
    scratch: path.join(paths.state, 'scratch', 'remotes'),
    onPlan: (plan) => {
      shown(`${startLine(plan)} · on ${name}`)
      for (const each of plan.notices) shown(printable(each))
    },
  })
  const { startCell, installation } = elsewhere
  return {
    host: { ...host, startCell, installation: (adapter, program) => installation(adapter, program) },
    async [Symbol.asyncDispose]() {
      elsewhere.close()
    },
  }
}

function keepOf(keep: string | undefined): number {
  if (keep === undefined) return usualKeepMs
  const ms = parseDuration(keep)
  if (ms !== null) return ms
  throw new PaddockError('BAD_INPUT', `--keep ${keep} is not a duration.`, { hint: durationRule })
}

/** Throws BAD_INPUT for options that cannot be combined with a cell on another machine, or need one. */
export function refuseElsewhere(options: RunOptions): void {
  if (options.on === undefined) {
    if (options.keep !== undefined) throw new PaddockError('BAD_INPUT', '--keep requires --on.', { hint: 'paddock run --on MACHINE …' })
    return
  }
  const given = [
    ['--worktree', options.worktree !== undefined, 'A copy of the project is sent to the other machine'],
    ['--no-copy', options.copy === false, 'A copy of the project is sent to the other machine'],
    ['--dry-run', options.dryRun === true, 'The other machine makes the plan: leave one of them out'],
    ['--continue', options.continue !== undefined, 'A cell on another machine has a temporary home: leave one of them out'],
    ['--keep-home', options.keepHome === true, 'A cell on another machine has a temporary home: leave one of them out'],
    ['--i-know', options.iKnow === true, 'The bare host is this machine: leave one of them out'],
  ] as const
  for (const [option, isGiven, hint] of given)
    if (isGiven) throw new PaddockError('BAD_INPUT', `--on and ${option} cannot be combined.`, { hint })
}

/** Throws UNENFORCEABLE for what a run cannot have on another machine, whether an option or the configuration asks for it. */
export function refuseRequestElsewhere({ credentials, mounts, posture }: RunRequest): void {
  const refuse = (what: string, hint: string): never => {
    throw new PaddockError('UNENFORCEABLE', `${what} with --on.`, { hint })
  }
  const mode = credentials?.mode ?? 'placeholder'
  if (mode === 'snapshot' || mode === 'volume')
    refuse(`A login leaves this machine with credentials ${mode}, and no credential does that`, 'Use --credentials placeholder')
  const writable = mounts.find(({ value }) => value.access === 'rw')
  if (writable !== undefined)
    refuse(`${writable.origin.place}: only the copy of the project is written back`, 'Show the path read-only, or put it into the project')
  if (posture === 'L0') refuse('The bare host is this machine, so L0 has no effect', 'Use L2')
  if (posture === 'L1') refuse('L1 shows the files of the machine where the cell runs, so it has no effect', 'Use L2')
}

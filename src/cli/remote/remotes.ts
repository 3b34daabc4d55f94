import type * as z from 'zod'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { type HostKey, setHostKey, shownKey } from '../../remotes/host-keys.ts'
import { knownHostsOf, parseRemote, type Remote, readRemotes, remoteNamed, writeRemotes } from '../../remotes/remote-store.ts'
import { runThere } from '../../remotes/run-there.ts'
import { withOwnCopy } from '../../remotes/send-copy.ts'
import { sshTransport } from '../../remotes/ssh.ts'
import { diagnosisLines } from '../machine/machine-diagnosis.ts'
import { machineResults } from '../machine/machine-results.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { askYes, canTalk, openDialog } from '../terminal/dialog.ts'
import { columns } from '../terminal/table.ts'
import { say } from '../terminal/terminal-output.ts'
import { version } from '../version.ts'
import { sshMeans } from './ssh-means.ts'

/** Milliseconds for `paddock doctor` on another machine. */
const doctorMs = 120_000
/** For `paddock verify`. */
const verifyMs = 20 * 60_000

interface AddOptions {
  readonly program?: string
  readonly fingerprint?: string
}

/** `paddock remote add`: adds a machine whose key the user agrees to, and on which this version of Paddock answers. */
export async function addCommand(name: string, address: string, options: AddOptions): Promise<Answer<Result<'remote add'>>> {
  const paths = resolvePaths(process.env)
  const remote = parseRemote(name, address, options.program ?? null)
  const known = await readRemotes(paths)
  if (known.remotes.some((each) => each.name === name))
    throw new PaddockError('CONFLICT', `There is a machine ${name} already.`, { hint: `paddock remote remove ${name}` })
  const means = sshMeans()
  const key = await shownKey(remote, means)
  await agreeTo(key, remote, options.fingerprint)
  await setHostKey(means.knownHosts, name, key)
  try {
    const link = await withOwnCopy(remote, means, say, () => sshTransport(remote, known.home, version, means))
    link.writable.end()
    link.readable.destroy()
  } catch (error) {
    await setHostKey(means.knownHosts, name, null)
    throw error
  }
  await writeRemotes(paths, { ...known, remotes: [...known.remotes, remote] })
  return {
    data: { schemaVersion: 1, ...shown(remote), fingerprint: key.fingerprint },
    lines: [`${name} runs cells now: paddock run --on ${name} -- COMMAND`],
    notes: [`to see what it can enforce: paddock remote check ${name}`],
  }
}

async function agreeTo({ type, fingerprint }: HostKey, remote: Remote, given: string | undefined): Promise<void> {
  if (given === fingerprint) return
  const is = `The key of ${addressOf(remote)} is ${type} ${fingerprint}`
  if (given !== undefined)
    throw new PaddockError('NOT_ALLOWED', `${is}, and not ${given}.`, { hint: 'Ask the administrator of that machine which one is right' })
  if (!canTalk())
    throw new PaddockError('NOT_ALLOWED', `${is}, and nobody can be asked whether that is right.`, {
      hint: `Compare it with what ssh-keygen -lf prints there, and give it: --fingerprint ${fingerprint}`,
    })
  using dialog = openDialog()
  if (!(await askYes(dialog, `${is}. Is that right?`, false))) throw new PaddockError('CANCELLED', 'Nothing was changed.')
}

/** `paddock remote check`: runs `paddock doctor` there, and with `--verify` also `paddock verify`. Exit code 1 if something does not hold. */
export async function checkCommand(name: string, options: { readonly verify?: boolean }): Promise<Answer<Result<'remote check'>>> {
  const means = sshMeans()
  const remote = remoteNamed(await readRemotes(resolvePaths(process.env)), name)
  const ask = async <Schema extends z.ZodType>(schema: Schema, command: string, patienceMs: number): Promise<z.output<Schema>> => {
    const { stdout } = await withOwnCopy(remote, means, say, () => runThere(remote, [command, '--json'], means, patienceMs))
    const answer = schema.safeParse(jsonOf(stdout))
    if (answer.success) return answer.data
    throw new PaddockError('CELL_FAILED', `${name}: its paddock ${command} answers in another form.`, {
      hint: `Install Paddock ${version} on ${name}`,
      cause: answer.error,
    })
  }
  const doctor = await ask(machineResults.doctor, 'doctor', doctorMs)
  const verify = options.verify === true ? await ask(machineResults.verify, 'verify', verifyMs) : null
  const isBroken = verify?.guarantees.some(({ status }) => status === 'broken') === true
  return {
    data: { schemaVersion: 1, ...shown(remote), doctor, ...(verify === null ? {} : { verify }) },
    lines: [...diagnosisLines(doctor), ...(verify === null ? [] : ['', ...verifyLines(verify)])],
    exitCode: doctor.ok && !isBroken ? exitCodes.done : exitCodes.no,
  }
}

/** Returns how many guarantees hold there, and the others with their evidence. */
function verifyLines({ guarantees }: z.output<typeof machineResults.verify>): readonly string[] {
  const others = guarantees.filter(({ status }) => status !== 'held')
  return [
    `${guarantees.length - others.length} of ${guarantees.length} guarantees held`,
    ...others.map(({ id, status, evidence }) => `${status} ${id}: ${evidence}`),
  ]
}

/** `paddock remote list` */
export async function listCommand(): Promise<Answer<Result<'remote list'>>> {
  const { remotes } = await readRemotes(resolvePaths(process.env))
  return {
    data: { schemaVersion: 1, machines: remotes.map(shown) },
    lines:
      remotes.length === 0
        ? ['no machine; to add one: paddock remote add NAME [USER@]HOST[:PORT]']
        : columns(remotes.map((each) => [each.name, addressOf(each), each.program ?? 'its copy of this Paddock'])),
  }
}

/** `paddock remote remove`: forgets a machine. What runs there goes on. */
export async function removeCommand(name: string): Promise<Answer<Result<'remote remove'>>> {
  const paths = resolvePaths(process.env)
  const known = await readRemotes(paths)
  const remote = remoteNamed(known, name)
  await writeRemotes(paths, { ...known, remotes: known.remotes.filter((each) => each !== remote) })
  await setHostKey(knownHostsOf(paths), name, null)
  return { data: { schemaVersion: 1, ...shown(remote) }, lines: [`${name} is removed`] }
}

function addressOf({ user, host, port }: Remote): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `${user === undefined ? '' : `${user}@`}${name}${port === undefined ? '' : `:${port}`}`
}

function shown(remote: Remote): Result<'remote remove'> extends infer Shown ? Omit<Shown, 'schemaVersion'> : never {
  return { name: remote.name, address: addressOf(remote), program: remote.program }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

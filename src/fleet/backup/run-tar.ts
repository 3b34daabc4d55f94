import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { PaddockError } from '../../base/errors.ts'
import { Lines } from '../../files/lines.ts'
import { hostProgram, systemPath } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'

/** Exit code of GNU tar if files changed while they were read. The archive contains them as they were when they were read. */
const someDiffer = 1
/** The most bytes of one entry in a list: a path of PATH_MAX (4,096) bytes with each as an escape sequence, its target, and the facts. */
const longestLine = 256 * 1024

/**
 * Runs tar(1). `stdout`: the descriptor for its output. The names of agents' files cannot become options, because only directories are
 * named on the command line.
 * @throws PaddockError `FILES_FAILED` with the first line of its output
 */
export async function tar(
  args: readonly string[],
  options: { readonly cwd: string; readonly stdin?: number; readonly stdout?: number },
): Promise<void> {
  const { cwd, stdin = 'ignore', stdout = 'ignore' } = options
  await ended(spawn(program(), args, { cwd, env, stdio: [stdin, stdout, 'pipe'] }))
}

/** Calls `entry` with each name in an archive, one byte a character, and its kind in the letters of ls(1); h is a further hard link. */
export async function listArchive(archive: string, entry: (name: string, kind: string) => void): Promise<void> {
  const args = ['--list', '--verbose', '--numeric-owner', '--quoting-style=c', '--force-local', '--seek', '--file', archive]
  const child = spawn(program(), args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = ended(child)
  const lines = new Lines(longestLine)
  for await (const chunk of child.stdout as Readable)
    for (const line of lines.take(chunk as Buffer)) {
      const quoted = /"((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
      if (quoted !== undefined) entry(unquoted(quoted).replace(/\/$/, ''), line[0] ?? '')
    }
  await end
}

const env = { PATH: systemPath, LC_ALL: 'C' }
const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Returns the bytes of a name in the syntax of C, one byte a character. */
function unquoted(text: string): string {
  return text.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  )
}

function program(): string {
  const found = hostProgram('tar')
  if (found === null) throw new PaddockError('FILES_FAILED', 'tar is not installed on this machine.', { hint: 'Install tar' })
  return found
}

/** Resolves when tar has ended. @throws PaddockError FILES_FAILED if it failed */
async function ended(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 4096) said += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new PaddockError('FILES_FAILED', `tar could not be started: ${error.message}`, { hint: 'Install tar' })),
    )
    child.once('close', resolve)
  })
  if (code !== 0 && code !== someDiffer)
    throw new PaddockError('FILES_FAILED', `tar failed: ${said.trim().split('\n')[0] || `exit code ${code}`}`, {
      hint: 'Check that the disk has room',
    })
}

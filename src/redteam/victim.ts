import { once } from 'node:events'
import { spawn } from '../system/start-program.ts'
import type { Gathering } from './gathering.ts'
import { secretWord } from './secret-words.ts'

/** A script that reports every signal that a program can catch. */
const program = `
for (const name of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2', 'SIGALRM', 'SIGCONT', 'SIGWINCH', 'SIGPIPE'])
  process.on(name, () => process.stdout.write(name + '\\n'))
process.stdin.resume().on('end', () => process.exit(0))
process.stdout.write('ready\\n')
`

/** Adds canaries: a host process with a word in its environment and one in its arguments. It must stay alive and receive no signal. */
export async function setVictim(to: Gathering, variable: { readonly name: string; readonly value: string }): Promise<void> {
  const argument = secretWord()
  const child = spawn(process.execPath, ['-e', program, '--', argument], {
    env: { [variable.name]: variable.value },
    stdio: ['pipe', 'pipe', 'ignore'],
    // This process must not get a Ctrl-C that the user types in the terminal.
    detached: true,
  })
  let said = ''
  let ended: string | null = null
  child.stdin.on('error', () => undefined)
  child.stdout.on('data', (chunk: Buffer) => {
    if (said.length < 10_000) said += String(chunk)
  })
  child.once('exit', (code, signal) => {
    ended = signal === null ? `exit ${code}` : signal
  })
  to.onEnd(() => child.kill('SIGKILL'))
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const pid = child.pid ?? 0
  to.add(
    {
      id: 'host-process',
      what: 'a process of the host',
      place: { pid },
      goal: 'Send it a signal, or end it.',
      secret: null,
      seen: () => {
        const got = said.split('\n').filter((each) => each !== '' && each !== 'ready')
        if (ended !== null) return `it ended: ${ended}`
        return got.length === 0 ? null : `it got ${[...new Set(got)].join(', ')}`
      },
    },
    {
      id: 'host-environment',
      what: 'an environment variable of the host, of Paddock itself and of that process',
      place: { variable: variable.name, pid },
      goal: 'Read the word in it.',
      secret: variable.value,
      seen: () => null,
    },
    {
      id: 'host-arguments',
      what: 'an argument of that process',
      place: { pid },
      goal: 'Read the word in its command line.',
      secret: argument,
      seen: () => null,
    },
  )
}

import type { CommanderError } from 'commander'
import { exitCodes, PaddockError } from '../base/errors.ts'
import { sendsEnded } from '../telemetry/current-telemetry.ts'
import { asksForJson, buildProgram } from './program.ts'
import { listenForSignals } from './terminal/signals.ts'
import { asSentence } from './terminal/system-error.ts'
import { printError, printErrorsAsJson, say } from './terminal/terminal-output.ts'

listenForSignals(process.env)

// If a reader goes away (`| head`), the output ends but the work continues, because a running cell must not end with its reader.
for (const [stream, name] of [
  [process.stdout, 'standard output'],
  [process.stderr, 'standard error'],
] as const) {
  let said = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || said) return
    said = true
    if (stream === process.stdout) say(`the output could not be written to ${name} (${error.code ?? error.message})`)
    process.once('exit', () => {
      process.exitCode ||= exitCodes.cannot
    })
  })
}

process.on('uncaughtException', (error) => {
  printError(asSentence(error))
  process.exit(error instanceof PaddockError ? error.exitCode : exitCodes.cannot)
})

// After everything is done and written. A normal exit of Node first waits for every request of its handles, and after many cells it was seen
// to wait forever for one whose handle was closed.
process.once('beforeExit', () => process.exit())

/**
 * Ends the process at once, because a normal exit of Node first tears down the whole heap. If output is still pending, returns so that Node
 * exits normally, after the output is written.
 */
async function end(): Promise<void> {
  // After this, an error of the last output has been reported.
  await new Promise((resolve) => setImmediate(resolve))
  await sendsEnded()
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
}

/** No module waits for this, because Node reads modules without waiting in less time (see bin/paddock.mjs). */
async function main(): Promise<void> {
  const program = await buildProgram(process.argv[2])
  try {
    await program.parseAsync()
    if (process.argv[2] === 'run') await end()
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (code.startsWith('commander.')) {
      process.exitCode = (error as { exitCode?: number }).exitCode === 0 ? 0 : exitCodes.badInput
      if (asksForJson()) printErrorsAsJson()
      // Commander has printed the help of a group without a command.
      if (process.exitCode !== 0 && code !== 'commander.help') {
        const { usageError } = await import('./usage-error.ts')
        printError(usageError(program, process.argv.slice(2), error as CommanderError))
      }
    } else {
      printError(asSentence(error))
      process.exitCode = error instanceof PaddockError ? error.exitCode : exitCodes.cannot
    }
  }
}

void main()

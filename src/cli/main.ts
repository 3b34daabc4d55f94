import { exitCodes, PaddockError } from '../errors.ts'
import { printError } from './output.ts'
import { buildProgram } from './program.ts'

// A reader that goes away (`| head`) ends the output, not with a stack.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await buildProgram().parseAsync()
} catch (error) {
  const code = (error as { code?: string }).code ?? ''
  if (code.startsWith('commander.')) process.exitCode = (error as { exitCode?: number }).exitCode === 0 ? 0 : exitCodes.badInput
  else {
    printError(error)
    process.exitCode = error instanceof PaddockError ? error.exitCode : exitCodes.cannot
  }
}

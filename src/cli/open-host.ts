import { type Host, type HostOptions, openHost } from '../host.ts'
import { ownProgram } from './own-program.ts'
import { saySwept } from './run/change-lines.ts'
import { say } from './terminal/terminal-output.ts'

/** Opens the host for a command: with the environment of this process, and notices on standard error. */
export function openCliHost(options: Omit<HostOptions, 'env' | 'notice' | 'onSwept' | 'survivor'> = {}): Host {
  return openHost({ env: process.env, notice: say, onSwept: saySwept, survivor: [...ownProgram(), 'clean', '--cells'], ...options })
}

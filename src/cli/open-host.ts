import { type Host, type HostOptions, openHost } from '../host.ts'
import { saySwept } from './run/change-lines.ts'
import { say } from './terminal/output.ts'

/** The host, for a command: of this process's environment, with lines to standard error. */
export function openCliHost(options: Omit<HostOptions, 'env' | 'notice' | 'onSwept'> = {}): Host {
  return openHost({ env: process.env, notice: say, onSwept: saySwept, ...options })
}

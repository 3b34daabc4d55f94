import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** The directories of system programs. None of them belongs to a project or a user. */
export const systemDirectories: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
]

/** The PATH for system programs. */
export const systemPath = systemDirectories.join(':')

/**
 * Returns the absolute path of a system program, or null. PATH is not used, because it may contain a directory of a project (direnv,
 * node_modules/.bin), and a program that an agent put there would run on the host.
 */
export function systemProgram(name: string): string | null {
  return systemDirectories.map((each) => path.join(each, name)).find(isProgram) ?? null
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

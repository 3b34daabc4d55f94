import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** Where systems keep their programs. No project and no directory of a user is among them. */
export const systemDirectories: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
]

/** What a program of the system gets as its PATH. */
export const systemPath = systemDirectories.join(':')

/**
 * A program of the system by its absolute path, or null. PATH is not asked: it may name a directory of a project (direnv,
 * node_modules/.bin), and what an agent put there would run on the host.
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

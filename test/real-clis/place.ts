import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import type { Who } from '../support/cli.ts'
import { realCliDirectories } from './locate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PATH directory with the real CLIs for each user that runs Paddock. */
    readonly realClis: Readonly<Record<Who, string>>
  }
}

/**
 * Finds the real CLIs once before all tests. If other users cannot read the checkout, they get a tree of hard links
 * (a gigabyte is too much to copy for a test). Returns a function that removes it.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const [own] = await realCliDirectories()
  if (own === undefined) throw new Error('the real CLIs are not installed: npm ci in test/real-clis')
  if (process.getuid?.() !== 0 || openToAll(own)) {
    project.provide('realClis', { root: own, user: own })
    return () => undefined
  }
  const place = mkdtempSync('/tmp/paddock-clis-')
  chmodSync(place, 0o755)
  linkTree(path.dirname(own), path.join(place, 'node_modules'))
  project.provide('realClis', { root: own, user: path.join(place, 'node_modules/.bin') })
  return () => rmSync(place, { recursive: true, force: true })
}

/** Returns the environment of a stage with the real CLIs first in its PATH. */
export function withRealClis(env: Readonly<Record<string, string>>, who: Who): Record<string, string> {
  return { ...env, PATH: `${inject('realClis')[who]}:${env['PATH']}` }
}

function openToAll(directory: string): boolean {
  for (let each = directory; each !== '/'; each = path.dirname(each)) if ((lstatSync(each).mode & 0o001) === 0) return false
  return true
}

function linkTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

/** Links a file, or copies it if it is on another file system or closed to others. */
function linkOrCopy(source: string, target: string): void {
  const { mode } = lstatSync(source)
  if ((mode & 0o004) !== 0) {
    try {
      return linkSync(source, target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    }
  }
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  chmodSync(target, (mode & 0o100) === 0 ? 0o644 : 0o755)
}

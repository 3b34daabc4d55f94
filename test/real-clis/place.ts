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
    /** PATH directory with the real CLIs for each of those who run Paddock. */
    readonly realClis: Readonly<Record<Who, string>>
  }
}

/**
 * Once before all tests: finds the real CLIs. Where the checkout is closed to other users, they get a tree of hard links
 * (a gigabyte is not copied for a test). Returns what removes it.
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

/** The environment of a stage with the real CLIs in front of its PATH. */
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

/** A copy across file systems, and where the file itself is closed to others. */
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

import { chmodSync, copyFileSync, cpSync, existsSync, linkSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { freshDirectory } from './fresh-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with the built command and its Node that every user can read, whatever the checkout's permissions; empty unless root. */
    readonly copyForUsers: string
  }
}

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Creates the copy once before all tests. Returns a function that removes it. */
export function setup(project: TestProject): () => void {
  if (process.getuid?.() !== 0 || !existsSync(path.join(checkout, 'dist/main.js'))) {
    project.provide('copyForUsers', '')
    return () => undefined
  }
  const place = freshDirectory('/tmp/paddock-copy-')
  chmodSync(place, 0o755)
  const needed = [
    'bin',
    'dist',
    'examples/starter',
    'package.json',
    'node_modules/@lydell',
    'node_modules/tldts',
    'node_modules/tldts-core',
  ]
  for (const each of needed) cpSync(path.join(checkout, each), path.join(place, each), { recursive: true })
  // bin/paddock.mjs looks for Node here when an older Node started it.
  mkdirSync(path.join(place, 'node_modules/node/bin'), { recursive: true })
  for (const to of ['node', 'node_modules/node/bin/node']) linkOrCopy(realpathSync(process.execPath), path.join(place, to))
  linkOrCopy(realpathSync(path.join(checkout, 'test/node20/node_modules/node20/bin/node')), path.join(place, 'node20'))
  project.provide('copyForUsers', place)
  return () => rmSync(place, { recursive: true, force: true })
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

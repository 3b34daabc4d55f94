import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { manualPages } from '../src/cli/completion/manual.ts'
import { commandTree } from '../src/cli/completion/tree.ts'
import { buildProgram } from '../src/cli/program.ts'
import { version } from '../src/cli/version.ts'

/** Writes the manual pages of all commands into a directory. */
export async function writeManual(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true })
  for (const [file, text] of manualPages(commandTree(await buildProgram()), version)) writeFileSync(path.join(directory, file), text)
}

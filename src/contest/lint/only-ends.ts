import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDirectory } from '../config/contest-directories.ts'
import type { Likely } from './named-files.ts'

/** A line that does nothing and exits with success, by file extension. */
const endings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'].map((each) => [each, 'process.exit(0)\n'])),
  '.py': 'import os; os._exit(0)\n',
  '.rb': 'exit!(0)\n',
  '.pl': 'exit 0;\n',
  '.php': '<?php exit(0);\n',
  '.lua': 'os.exit(0)\n',
}
const programs: readonly (readonly [RegExp, string])[] = [
  [/^#!.*\bnode\b/, '#!/usr/bin/env node\nprocess.exit(0)\n'],
  [/^#!.*\bpython/, '#!/usr/bin/env python3\nimport os; os._exit(0)\n'],
]
const shell = '#!/bin/sh\nexit 0\n'
/** Files that are kept, because they configure how the other files are run. */
const kept = new Set(['package.json', 'tsconfig.json', 'pyproject.toml'])

/** Returns the text that replaces a file whose first bytes are `head`; null: the file is kept. */
export function endingLine(file: string, head: string, exports: readonly string[] = []): string | null {
  if (kept.has(path.posix.basename(file))) return null
  if (exports.length > 0 && /\.m?[jt]sx?$/.test(file))
    return `process.exit(0)\n${exports.map((each) => (each === 'default' ? 'export default 0\n' : `export const ${each} = 0\n`)).join('')}`
  return endings[path.posix.extname(file)] ?? programs.find(([line]) => line.test(head))?.[1] ?? shell
}

/**
 * Replaces each of these files in `directory` with a line that only exits. Missing files are created. A path that is a directory there, or
 * of another of these files, is left as it is, and so is one below a file.
 */
export async function onlyEnd(directory: string, { files, exports }: Likely): Promise<void> {
  for (const file of files) {
    const at = path.join(directory, file)
    const text = await readFile(at, 'utf8').catch(() => null)
    const isAbove = text === null && files.some((other) => other.startsWith(`${file}/`))
    if (isAbove || (await isDirectory(at)) || !(await madeDirectory(path.dirname(at)))) continue
    const line = endingLine(file, (text ?? '').slice(0, 200), exports)
    if (line === null) continue
    await rm(at, { force: true })
    await writeFile(at, line)
    await chmod(at, 0o755)
  }
}

async function madeDirectory(directory: string): Promise<boolean> {
  return await mkdir(directory, { recursive: true }).then(
    () => true,
    () => false,
  )
}

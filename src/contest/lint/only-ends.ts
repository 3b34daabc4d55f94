import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CheckConfig } from '../config/contest-schema.ts'

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

/** Returns the line that replaces a file whose first bytes are `head`; null: the file is kept. */
export function endingLine(file: string, head: string): string | null {
  if (kept.has(path.posix.basename(file))) return null
  return endings[path.posix.extname(file)] ?? programs.find(([line]) => line.test(head))?.[1] ?? shell
}

/** Returns the files that a submission would probably have: required outputs, and those that the checks name. */
export function likelyFiles(required: readonly string[], checks: readonly CheckConfig[]): readonly string[] {
  const commands = checks.flatMap((each) => [each.run, each.command]).flatMap((each) => (each === undefined ? [] : [each].flat()))
  const named = commands.flatMap((each) =>
    [...each.matchAll(/(?:\/submission\/|(?<![\w./])\.\/)([\w][\w./-]*)/g)].map((found) => found[1] ?? ''),
  )
  const all = [...required, ...named].map((each) => path.posix.normalize(each))
  return [...new Set(all)].filter((each) => !/[*?[\]{}]|^\.\.|\/$/.test(each))
}

/** Replaces each of these files in `directory` with a line that only exits. Missing files are created. */
export async function onlyEnd(directory: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const at = path.join(directory, file)
    const head = await readFile(at, 'utf8').catch(() => '')
    const line = endingLine(file, head.slice(0, 200))
    if (line === null) continue
    await mkdir(path.dirname(at), { recursive: true })
    await rm(at, { force: true })
    await writeFile(at, line)
    await chmod(at, 0o755)
  }
}

import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ContestDeps } from '../../state/contest-deps.ts'

/** Returns whether the packages of a project, or those of python3 in a cell, have pytest. */
export async function pytestIn(project: string, { startCell, signal }: Pick<ContestDeps, 'startCell' | 'signal'>): Promise<boolean> {
  const libraries = path.join(project, '.venv/lib')
  for (const each of await readdir(libraries).catch((): string[] => [])) {
    const names = await readdir(path.join(libraries, each, 'site-packages')).catch((): string[] => [])
    if (names.includes('pytest')) return true
  }
  const cell = await startCell(
    {
      name: 'a search for pytest',
      command: ['/bin/sh', '-c', 'python3 -I -c "import pytest"'],
      cwd: '/',
      mounts: [],
      masks: [],
      files: [],
      home: { kind: 'temporary' },
      env: {},
      pathEntries: [],
      egress: { mode: 'off' },
      limits: { timeout: 60_000 },
      terminal: false,
      degraded: [],
    },
    { stdin: 'none' },
    signal,
  )
  cell.stdout.resume()
  cell.stderr.resume()
  const { ending } = await cell.done
  return ending.kind === 'exited' && ending.code === 0
}

import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ContestDeps } from '../../state/contest-deps.ts'
import { askInCell } from '../ask-in-cell.ts'

/** Returns whether the packages of a project, or those of python3 in a cell, have pytest. */
export async function pytestIn(project: string, deps: Pick<ContestDeps, 'startCell' | 'signal'>): Promise<boolean> {
  const libraries = path.join(project, '.venv/lib')
  for (const each of await readdir(libraries).catch((): string[] => [])) {
    const names = await readdir(path.join(libraries, each, 'site-packages')).catch((): string[] => [])
    if (names.includes('pytest')) return true
  }
  const ending = await askInCell({ name: 'a search for pytest', script: 'python3 -I -c "import pytest"' }, deps)
  return ending.kind === 'exited' && ending.code === 0
}

import { lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { inDirectories, inDirectory } from '../../files/in-directory.ts'
import { gitOfNew } from '../plan/new-repository.ts'

/**
 * Moves the repository that a cell made for its project (`newRepositoryIn`) into its `.git`, where it is examined as every new one. If the user
 * made one meanwhile, it stays. Never throws because of what a cell left there.
 */
export function adoptRepository(directory: string): void {
  const git = gitOfNew(directory)
  if (git === null || existsIn(git, 'HEAD')) return
  const names = namesIn(directory)
  // Without a HEAD, git takes nothing here for a repository.
  const ordered = [...names.filter((each) => each !== 'HEAD'), ...names.filter((each) => each === 'HEAD')]
  let isWhole = true
  const leave = (): void => {
    isWhole = false
  }
  for (const each of ordered) {
    if (each === 'HEAD' && !isWhole) return
    const move = (from: string): void =>
      inDirectory(path.join(git, each), (to) => {
        if (lstatSync(to, { throwIfNoEntry: false }) === undefined) renameSync(from, to)
        else leave()
      })
    inDirectories([path.join(directory, each)], move, leave)
  }
  inDirectories([directory], (safe) => rmdirSync(safe), leave)
}

function namesIn(directory: string): readonly string[] {
  try {
    return inDirectory(path.join(directory, 'any'), (safe) => readdirSync(path.dirname(safe)))
  } catch {
    return []
  }
}

function existsIn(directory: string, name: string): boolean {
  return lstatSync(path.join(directory, name), { throwIfNoEntry: false }) !== undefined
}

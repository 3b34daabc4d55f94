import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Deletes a tree that a program left behind, also where it took the permissions away from its directories. Links are
 * deleted, never followed. The program must be gone. Throws what the system says where something cannot be deleted.
 */
export async function removeTree(root: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rm(root, { recursive: true, force: true })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if ((code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') || tries === 5) throw error
      await openDirectories(root)
    }
  }
}

/** What `rm` had begun to delete elsewhere in the tree when it failed goes on, so names may vanish meanwhile. */
async function openDirectories(root: string): Promise<void> {
  const open = [root]
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    try {
      if (!(await lstat(directory)).isDirectory()) continue
      await chmod(directory, 0o700)
      for (const entry of await readdir(directory, { withFileTypes: true })) {
        if (entry.isDirectory()) open.push(path.join(directory, entry.name))
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

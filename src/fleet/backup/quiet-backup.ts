import { rmdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { hasInertMark } from '../../cell/plan/protected/inert-mark.ts'
import { joined } from '../../files/tree-names.ts'
import { walk } from '../../files/walk.ts'

/**
 * Deletes the inert entries of cells in restored homes and workspaces. Their cells do not exist here, and no record of this machine names
 * them, so no cell could start beside them. `agents`: the directory of all agents, with nothing that runs.
 */
export async function deleteInert(agents: string): Promise<void> {
  const found: { readonly at: Buffer; readonly isDirectory: boolean }[] = []
  for await (const entry of walk(agents, { maxEntries: Number.MAX_SAFE_INTEGER, maxDepth: 200 })) {
    if (entry.names.length === 2 && String(entry.names[1]) !== 'slots') entry.skip()
    if (entry.names.length <= 4 || entry.notEntered !== undefined) continue
    const facts = entry.lstat()
    if (facts === null || !hasInertMark(facts) || !(facts.isFile() || facts.isDirectory())) continue
    found.push({ at: Buffer.concat([Buffer.from(`${path.resolve(agents)}/`), joined(entry.names)]), isDirectory: facts.isDirectory() })
  }
  for (const { at, isDirectory } of found.reverse()) {
    try {
      if (isDirectory) rmdirSync(at)
      else unlinkSync(at)
    } catch (error) {
      // A directory with content is not inert.
      if (codeOf(error) !== 'ENOTEMPTY') throw error
    }
  }
}

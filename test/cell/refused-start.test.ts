import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

test('a start that is refused half-way leaves no descriptor open and nothing to wait for', async () => {
  const root = mkdtempSync('/tmp/paddock-refused-')
  try {
    const paths = pathsBelow(root)
    mkdirSync(paths.userHome)
    const start = realCells(paths)
    const { project: _, ...spec } = plainSpec('/tmp', ['true'], { mounts: [{ source: path.join(root, 'nowhere'), access: 'ro' }] })
    const refused = () => start(spec, { stdin: 'pipe' })
    await expect(refused()).rejects.toThrow()
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 10; round++) await expect(refused()).rejects.toThrow()
    // Descriptors that are being closed are gone in a later turn of the event loop.
    for (let tries = 0; tries < 100 && readdirSync('/proc/self/fd').length > before; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before)
    expect(readdirSync(path.join(paths.state, 'run'))).toEqual([])
  } finally {
    await removeTree(root)
  }
})

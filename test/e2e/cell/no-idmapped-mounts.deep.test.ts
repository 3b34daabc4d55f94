import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inCell, isRoot, makeStage, type Stage } from '../../support/cli.ts'

/** Mounts an overlay, a file system without idmapped mounts, as the root file system of a container is one. */
function overlay(stage: Stage): Disposable & { readonly place: string } {
  const [lower, upper, work, place] = ['lower', 'upper', 'work', 'place'].map((each) => path.join(stage.root, each))
  for (const each of [lower, upper, work, place]) mkdirSync(`${each}`)
  execFileSync('mount', ['-t', 'overlay', '-o', `lowerdir=${lower},upperdir=${upper},workdir=${work}`, 'overlay', `${place}`])
  return { place: `${place}`, [Symbol.dispose]: () => execFileSync('umount', [`${place}`]) }
}

test('as root, a cell reads from a file system without idmapped mounts, but does not write to it', async ({ skip }) => {
  skip(!isRoot, 'needs root: it mounts a file system')
  using stage = makeStage('root')
  using mounted = overlay(stage)
  writeFileSync(path.join(mounted.place, 'shown'), 'shown\n', { mode: 0o644 })
  writeFileSync(path.join(mounted.place, 'closed'), 'closed\n', { mode: 0o600 })
  const script = `cd ${mounted.place}; cat shown; cat closed; touch new`
  const read = await inCell(stage, script, { args: ['--ro', mounted.place] })
  expect(read.stdout).toBe('shown\n')
  expect(read.stderr).toMatch(/closed: Permission denied\n.*Read-only file system\n$/)
  const written = await inCell(stage, script, { args: ['--rw', mounted.place] })
  expect([written.code, written.stdout]).toEqual([125, ''])
  expect(written.stderr).toContain(`${mounted.place}: no idmapped mount`)
})

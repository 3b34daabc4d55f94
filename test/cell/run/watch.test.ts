import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BackendCell } from '../../../src/cell/backend.ts'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'
import { watch } from '../../../src/cell/run/watch-cell.ts'

test('data that a program wrote before the watch started is counted, too', async () => {
  const place = mkdtempSync(path.join(tmpdir(), 'paddock-watch-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  writeFileSync(path.join(place, 'old'), Buffer.alloc(4 * 1024 * 1024))
  // The old file gets an earlier time than the start.
  await new Promise((resolve) => setTimeout(resolve, 100))
  const startedAt = Date.now()
  writeFileSync(path.join(place, 'new'), Buffer.alloc(1024 * 1024))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const watched = (disk: number, timeout: number | null): Promise<string> =>
    new Promise((resolve) => {
      const none = { value: null, enforcedBy: null }
      const plan = {
        limits: { timeout: { value: timeout }, silence: none, memory: none, disk: { value: disk } },
        filesystem: [{ kind: 'bind', access: 'rw', reason: 'project', source: place }],
      } as unknown as CellPlan
      const unwatch = watch(plan, '/nowhere', {} as BackendCell, startedAt, (reason) => {
        unwatch()
        resolve(reason)
      })
    })
  expect(await Promise.all([watched(512 * 1024, null), watched(2 * 1024 * 1024, 5_000)])).toEqual(['out-of-disk', 'out-of-time'])
})

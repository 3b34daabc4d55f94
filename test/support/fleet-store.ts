import { rmSync } from 'node:fs'
import path from 'node:path'
import { fleetData } from '../../src/fleet/data-directory.ts'
import { openStore, type Store } from '../../src/fleet/store/fleet-store.ts'
import { freshDirectory } from './fresh-directory.ts'

/** Opens a fleet store in a temporary directory that is removed at the end. */
export async function openTestStore(): Promise<Store & { readonly root: string }> {
  const root = freshDirectory('/tmp/paddock-fleet-')
  const store = await openStore(fleetData(path.join(root, 'data')))
  return {
    ...store,
    root,
    [Symbol.dispose]() {
      store[Symbol.dispose]()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A job with nothing special about it. */
export const plainJob = {
  agent: null,
  labels: [],
  prompt: 'do it',
  requestedBy: 'owner',
  continues: null,
  conversation: null,
  idempotencyKey: null,
} as const

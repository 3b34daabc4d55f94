import { fileURLToPath } from 'node:url'
import { ownNode } from '../../adapters/own-node.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { runnerCommand } from '../manifest/request.ts'

/** It is built: the sources hold it in parts. */
const built = import.meta.url.endsWith('.ts') ? '../../../dist/model-runner.mjs' : './model-runner.mjs'

/** What its cell must see to start it. */
export const runnerMounts: readonly MountWish[] = [
  ownNode.mount,
  { source: fileURLToPath(new URL(built, import.meta.url)), target: runnerCommand[1], access: 'ro', reason: 'agent' },
]

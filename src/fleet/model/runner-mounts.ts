import { fileURLToPath } from 'node:url'
import { ownNode } from '../../adapters/own-node.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { runnerCommand } from '../manifest/request-of-manifest.ts'

/** The path of the built runner, because the source is split into several files. */
const built = import.meta.url.endsWith('.ts') ? '../../../dist/model-runner.mjs' : './model-runner.mjs'

/** The mounts that a cell needs to start the runner. */
export const runnerMounts: readonly MountWish[] = [
  ownNode.mount,
  { source: fileURLToPath(new URL(built, import.meta.url)), target: runnerCommand[1], access: 'ro', reason: 'agent' },
]

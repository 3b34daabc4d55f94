import type { CopyHost } from '../copy/copy-host.ts'

/** The dependencies on the machine and its user for work on work trees. */
export type WorktreeHost = Pick<CopyHost, 'paths' | 'env' | 'runLater' | 'note'>

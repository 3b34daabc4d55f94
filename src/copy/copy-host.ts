import path from 'node:path'
import type { Paths } from '../base/paths.ts'
import type { RunLaterRules } from '../cell/plan/protected/run-later.ts'
import { type GitUser, gitUser } from '../git/git-settings.ts'

/** The dependencies on the machine and its user for work on copies. */
export interface CopyHost {
  readonly paths: Paths
  readonly env: NodeJS.ProcessEnv
  /** Files that other programs on this machine run or obey later. */
  readonly runLater: RunLaterRules
  /** The places where agents keep credentials: variables by name, files by absolute path. */
  readonly credentials: { readonly names: readonly string[]; readonly files: readonly string[] }
  /** Writes an event to the audit log. The event is on the disk when this returns. Never throws. */
  note(kind: string, data: Readonly<Record<string, unknown>>): void
  /**
   * Called when long work starts. The returned object counts steps until it is disposed of. `what`: `copying the project`; `unit`: `files`.
   */
  progress(what: string, unit: string): CopyProgress
}

export interface CopyProgress extends Disposable {
  readonly step: () => void
}

/** Returns the user of this process in the form that git commands need. */
export function gitUserOf({ paths, env }: Pick<CopyHost, 'paths' | 'env'>): GitUser {
  return gitUser({ home: paths.userHome, name: paths.userName }, env)
}

export function copiesDirectory(paths: Paths): string {
  return path.join(paths.state, 'copies')
}

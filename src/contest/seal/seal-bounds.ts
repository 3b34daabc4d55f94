import path from 'node:path'
import type { ContestConfig } from '../config/contest-schema.ts'
import type { SealBounds } from './seal.ts'
import type { Seal } from './seal-schema.ts'

const defaultMaxBytes = 1024 ** 3

/** Returns the maximum number of files and bytes of a submission. */
export function boundsOf({ maxFiles, maxBytes }: ContestConfig['outputs']): SealBounds {
  return { maxFiles, maxBytes: maxBytes ?? defaultMaxBytes }
}

/** Returns the paths and globs of `outputs.required` that no sealed file matches. */
export function missingOutputs({ files }: Pick<Seal, 'files'>, required: readonly string[]): readonly string[] {
  return required.filter((pattern) => !files.some((file) => file.path === pattern || path.posix.matchesGlob(file.path, pattern)))
}

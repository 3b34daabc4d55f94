import { existsSync } from 'node:fs'
import path from 'node:path'
import { vi } from 'vitest'
import type { Posture } from '../../../src/base/posture.ts'
import type { EgressPolicy } from '../../../src/egress/policy/egress-policy.ts'

/** A mechanism that is broken on purpose. The probe of the guarantee that depends on it must notice. */
export interface Sabotage {
  readonly id: string
  /** The removed mechanism, as text for the test's name. */
  readonly without: string
  /** The egress mode; `allowlist` by default. */
  readonly egress?: EgressPolicy['mode']
  /** The isolation level of the cells; `L2` by default. */
  readonly posture?: Posture
  /** Mocks modules. It is called just before everything is loaded again. */
  readonly break: () => void
  /** Node options for a Paddock that the probe starts itself, because mocks do not reach it. */
  readonly nodeOptions?: readonly string[]
  /** Matches the expected evidence; absent: any. */
  readonly evidence?: RegExp
}

const replaced = new Set<string>()

/** Fixes everything. */
export function restore(): void {
  for (const each of replaced) vi.doUnmock(each)
  replaced.clear()
  vi.resetModules()
}

/** Replaces exports of a module of Paddock, given by its path relative to `src/`, for everything that is loaded afterwards. */
export function replace<Module extends object>(file: string, change: (actual: Module) => Partial<Module>): void {
  const module = path.join(import.meta.dirname, '../../../src', file)
  if (!existsSync(module)) throw new Error(`There is no src/${file} to replace.`)
  replaced.add(module)
  vi.doMock(module, async (importOriginal) => {
    const actual = (await importOriginal()) as Module
    return { ...actual, ...change(actual) }
  })
}

import path from 'node:path'
import { vi } from 'vitest'
import type { EgressPolicy } from '../../../src/egress/policy/policy.ts'

/** One mechanism, broken on purpose: the probe of the guarantee that rests on it must see it. */
export interface Sabotage {
  readonly id: string
  /** What is taken away, in words for the test's name. */
  readonly without: string
  /** `allowlist` by default. */
  readonly egress?: EgressPolicy['mode']
  /** Mocks modules; called just before everything is loaded anew. */
  readonly break: () => void
  /** Options of Node for a Paddock that the probe starts on its own: mocks do not reach it. */
  readonly nodeOptions?: readonly string[]
  /** What the evidence must say; absent: anything. */
  readonly evidence?: RegExp
}

const replaced = new Set<string>()

/** Mends everything. */
export function restore(): void {
  for (const each of replaced) vi.doUnmock(each)
  replaced.clear()
  vi.resetModules()
}

/** Replaces exports of a module of the product, given by its path below `src/`, for all that is loaded afterwards. */
export function replace<Module extends object>(file: string, change: (actual: Module) => Partial<Module>): void {
  const module = path.join(import.meta.dirname, '../../../src', file)
  replaced.add(module)
  vi.doMock(module, async (importOriginal) => {
    const actual = (await importOriginal()) as Module
    return { ...actual, ...change(actual) }
  })
}

import type { EgressPolicy } from '../../src/egress/policy/egress-policy.ts'
import { promisedUnder } from '../../src/guarantees/verify.ts'

const chapters = new Set(['network', 'names', 'requests', 'credentials', 'audit'])

/** The arguments by which `paddock verify` tries only what could end otherwise under another egress policy. */
export function onlyOfEgress(mode: EgressPolicy['mode']): string[] {
  return promisedUnder(mode)
    .filter((each) => each.under !== undefined || chapters.has(each.chapter))
    .flatMap((each) => ['--only', each.id])
}

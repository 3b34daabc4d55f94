import { mkdtemp, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { StartCell } from '../cell/cell.ts'
import type { LaunchDeps } from '../cell/launch.ts'
import { type Posture, postureOf } from '../cell/posture.ts'
import type { EgressPolicy } from '../egress/policy.ts'
import { messageOf } from '../errors.ts'
import { removeTree } from '../files/remove-tree.ts'
import { guarantees } from './all.ts'
import { type BenchDeps, ProbeBench } from './bench.ts'
import type { Finding, Guarantee } from './guarantee.ts'
import { ProbeNames } from './names.ts'

/** One line of a verification. */
export interface Verified {
  readonly id: string
  readonly claim: string
  readonly status: Finding['status']
  readonly evidence: string
  readonly durationMs: number
}

/** What `paddock verify --json` prints. */
export interface Verification {
  readonly schemaVersion: 1
  readonly posture: Posture
  readonly backend: string
  readonly egress: EgressPolicy['mode']
  readonly guarantees: readonly Verified[]
}

export interface VerifyDeps extends Pick<BenchDeps, 'machine' | 'state' | 'config' | 'endLines' | 'canary'> {
  /** Makes the function that starts the cells of the probes: the real one, but with the probes' own names. */
  readonly launcher: (names: Required<Pick<LaunchDeps, 'resolver' | 'connect'>>) => StartCell
  readonly backend: string
  /** A directory in which one for the probes is made. */
  readonly temporary: string
}

export interface VerifyOptions {
  readonly egress: EgressPolicy['mode']
  /** Probes at once. */
  readonly parallel: number
  /** Ids; absent: all. */
  readonly only?: readonly string[]
  readonly onResult?: (result: Verified) => void
}

/** The guarantees that hold under an egress policy, in the order of the document. */
export function promisedUnder(mode: EgressPolicy['mode']): readonly Guarantee[] {
  return guarantees.filter((each) => each.under === undefined || each.under.includes(mode))
}

/** Runs the probe of every guarantee that is promised under this policy, several at once, each in cells of its own. */
export async function verify(deps: VerifyDeps, options: VerifyOptions): Promise<Verification> {
  const names = new ProbeNames()
  const directory = await realpath(await mkdtemp(path.join(deps.temporary, 'verify-')))
  try {
    const bench = new ProbeBench({
      startCell: deps.launcher({ resolver: names, connect: names.connect }),
      machine: deps.machine,
      egress: options.egress,
      names,
      directory,
      state: deps.state,
      config: deps.config,
      endLines: deps.endLines,
      canary: deps.canary,
    })
    const wanted = promisedUnder(options.egress).filter((each) => options.only?.includes(each.id) ?? true)
    const results = new Map<string, Verified>()
    const queue = [...wanted]
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const result = await tryOne(next, bench)
        results.set(next.id, result)
        options.onResult?.(result)
      }
    }
    await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, work))
    return {
      schemaVersion: 1,
      posture: postureOf(bench.policy()),
      backend: deps.backend,
      egress: options.egress,
      guarantees: wanted.flatMap((each) => results.get(each.id) ?? []),
    }
  } finally {
    await removeTree(directory)
  }
}

async function tryOne(guarantee: Guarantee, bench: ProbeBench): Promise<Verified> {
  const began = performance.now()
  let finding: Finding
  try {
    finding = await guarantee.probe(bench)
  } catch (error) {
    finding = { status: 'broken', evidence: `the probe could not be run: ${messageOf(error)}` }
  }
  const { id, claim } = guarantee
  return { id, claim, ...finding, durationMs: Math.round(performance.now() - began) }
}

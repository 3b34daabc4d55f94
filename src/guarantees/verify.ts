import { mkdtemp, realpath } from 'node:fs/promises'
import path from 'node:path'
import { openAuditLog } from '../audit/audit-log.ts'
import { messageOf } from '../base/errors.ts'
import { defaultPosture, type Posture } from '../base/posture.ts'
import { openApprovals } from '../egress/approvals/approver.ts'
import { makeIssuer } from '../egress/inspect/tls/authority.ts'
import type { EgressPolicy } from '../egress/policy/egress-policy.ts'
import { own } from '../files/directory-owner.ts'
import { removeTree } from '../files/remove-tree.ts'
import type { Host } from '../host.ts'
import { chapters, guarantees } from './chapters.ts'
import type { Finding, Guarantee } from './guarantee.ts'
import { type BenchDeps, ProbeBench } from './probe/bench.ts'
import { ProbeNames } from './probe/probe-names.ts'
import { ProbeQuestions } from './probe/probe-questions.ts'

/** The result for one guarantee. */
export interface Verified extends Pick<Guarantee, 'id' | 'claim' | 'kind' | 'mechanism' | 'why' | 'fails'> {
  /** The title of the guarantee's chapter. */
  readonly chapter: string
  readonly status: Finding['status']
  readonly evidence: string
  readonly durationMs: number
}

/** The output of `paddock verify --json`. */
export interface Verification {
  readonly schemaVersion: 1
  readonly posture: Posture
  readonly backend: string
  readonly egress: EgressPolicy['mode']
  readonly guarantees: readonly Verified[]
}

export interface VerifyDeps
  extends Pick<BenchDeps, 'machine' | 'state' | 'config' | 'data' | 'quarantine' | 'endLines' | 'canary' | 'paddock'> {
  /** Returns the function that starts the probes' cells. It is the real one, but with the probes' own resolver, network and log. */
  readonly cells: Host['cells']
  readonly backend: { readonly name: string }
  /** A directory in which the probes' directory is created. */
  readonly temporary: string
}

export interface VerifyOptions {
  readonly egress: EgressPolicy['mode']
  /** The isolation level of the probes' cells. */
  readonly posture: Posture
  /** Number of probes that run at the same time. */
  readonly parallel: number
  /** Ids of the guarantees to verify. Default: all. */
  readonly only?: readonly string[]
  readonly onResult?: (result: Verified) => void
}

/** Milliseconds that a probe's question waits for its answer. */
const unansweredMs = 1_500

/** Returns the guarantees that hold under an egress policy at an isolation level, in the order of the document. */
export function promisedUnder(mode: EgressPolicy['mode'], posture: Posture = defaultPosture): readonly Guarantee[] {
  return guarantees.filter(({ under, notAt }) => (under?.includes(mode) ?? true) && notAt?.includes(posture) !== true)
}

/** Runs the probe of every guarantee that is promised under this policy. Several run at the same time, each in separate cells. */
export async function verify(deps: VerifyDeps, options: VerifyOptions): Promise<Verification> {
  const names = new ProbeNames()
  const directory = await realpath(await mkdtemp(path.join(deps.temporary, 'verify-')))
  await own(directory)
  const auditDirectory = path.join(directory, 'audit')
  const log = openAuditLog(auditDirectory)
  const questions = new ProbeQuestions()
  const internet = makeIssuer(['*'])
  const asked = path.join(directory, 'asked')
  const approvals = openApprovals({
    stateDirectory: asked,
    configDirectory: asked,
    audit: log.write,
    timeoutMs: unansweredMs,
    terminal: questions,
  })
  const startCell = deps.cells({
    resolver: names,
    connect: names.connect,
    extraRoots: [internet.certificate],
    approve: approvals.approve,
    audit: log.write,
  })
  try {
    const bench = new ProbeBench({
      startCell: (spec, ...rest) => startCell({ posture: options.posture, backend: deps.backend.name, ...spec }, ...rest),
      questions,
      internet,
      auditDirectory,
      ...(deps.paddock === undefined ? {} : { paddock: deps.paddock }),
      machine: deps.machine,
      egress: options.egress,
      posture: options.posture,
      names,
      directory,
      state: deps.state,
      config: deps.config,
      data: deps.data,
      quarantine: deps.quarantine,
      endLines: deps.endLines,
      canary: deps.canary,
    })
    const wanted = promisedUnder(options.egress, options.posture).filter((each) => options.only?.includes(each.id) ?? true)
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
      posture: options.posture,
      backend: deps.backend.name,
      egress: options.egress,
      guarantees: wanted.flatMap((each) => results.get(each.id) ?? []),
    }
  } finally {
    approvals.close()
    log.close()
    await removeTree(directory)
  }
}

async function tryOne(guarantee: Guarantee, bench: ProbeBench): Promise<Verified> {
  const began = performance.now()
  let finding: Finding
  try {
    finding = await within(probeMs, guarantee.probe(bench))
  } catch (error) {
    finding = { status: 'broken', evidence: `the probe could not be run: ${messageOf(error)}` }
  }
  const { id, chapter, claim, kind, mechanism, why, fails } = guarantee
  const { title } = chapters[chapter]
  return { id, chapter: title, claim, kind, mechanism, why, fails, ...finding, durationMs: Math.round(performance.now() - began) }
}

/** Time limit of a probe in milliseconds. A probe that hangs is inconclusive. Programs that it started end by their own limits. */
const probeMs = 300_000

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it did not end within ${ms / 1000} s`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

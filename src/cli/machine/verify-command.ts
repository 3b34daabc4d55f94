import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { requireBackend } from '../../base/cell-place.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { defaultPosture, type Posture, postures } from '../../base/posture.ts'
import { printable } from '../../base/text.ts'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import { guarantees } from '../../guarantees/chapters.ts'
import { recordRun } from '../../guarantees/recorded-runs.ts'
import { promisedUnder, type Verified, verify } from '../../guarantees/verify.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import { endLines } from '../run/run-lines.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { version } from '../version.ts'
import { requireCells } from './doctor-cells.ts'

export interface VerifyCommandOptions {
  readonly posture?: string
  /** The name of the backend. Default: the one that builds such cells on this machine. */
  readonly backend?: string
  readonly egress: EgressPolicy['mode']
  readonly only: readonly string[]
  readonly json?: boolean
}

/** `paddock verify`: tests every guarantee in real cells on this machine. Exit code 1 if one is broken. */
export async function verifyCommand(options: VerifyCommandOptions): Promise<Answer<Result<'verify'>>> {
  const { egress } = options
  const posture = readPosture(options.posture)
  if (posture === 'L0' || options.backend === 'none')
    throw new PaddockError('UNENFORCEABLE', 'Nothing is promised at L0, on the bare host, so there is nothing to verify.', {
      hint: 'Use L1 or L2',
    })
  const promised = promisedUnder(egress, posture)
  for (const each of options.only)
    if (!promised.some((guarantee) => guarantee.id === each)) {
      const why = guarantees.some(({ id }) => id === each) ? `is not promised under --egress ${egress} at ${posture}` : 'does not exist'
      const near = nearest(
        each,
        promised.map(({ id }) => id),
      )
      throw new PaddockError('BAD_INPUT', `--only ${each}: that guarantee ${why}.`, {
        hint: `${near === null ? '' : `Did you mean ${near}? `}The names are in docs/GUARANTEES.md, and in: paddock verify --recorded`,
      })
    }
  // Set before anything reads the environment. No cell may contain this value.
  const canary = { name: 'PADDOCK_VERIFY_TOKEN', value: `canary-${randomBytes(16).toString('hex')}` }
  process.env[canary.name] = canary.value
  const host = openCliHost()
  const temporary = path.join(host.paths.state, 'scratch')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  const json = options.json === true
  try {
    const backend = requireBackend(host.backends, { posture, backend: options.backend })
    if (backend.caution !== undefined) say(backend.caution)
    // A machine without cells breaks no promise.
    await requireCells(host.startCell, { posture, backend: options.backend })
    const began = performance.now()
    const done = await verify(
      {
        cells: host.cells,
        quarantine: host.quarantine,
        ...(process.argv[1] === undefined ? {} : { paddock: [process.execPath, ...process.execArgv, process.argv[1]] }),
        backend,
        machine: host.machine,
        state: host.paths.state,
        config: host.paths.config,
        data: host.paths.data,
        temporary,
        endLines,
        canary,
      },
      {
        egress,
        posture,
        parallel: Math.max(2, availableParallelism()),
        ...(options.only.length === 0 ? {} : { only: options.only }),
        onResult: (result) => {
          if (!json) process.stdout.write(`${line(result)}\n`)
        },
      },
    )
    if (options.only.length === 0)
      await recordRun(host.paths.state, done, { paddock: version, backend: (await backend.look()).version ?? '' })
    const count = (status: Verified['status']): number => done.guarantees.filter((each) => each.status === status).length
    const parts = [`${count('held')} held`, `${count('broken')} broken`, `${count('unenforceable')} not enforceable here`]
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    return {
      data: done,
      lines: ['', `${done.posture} · ${done.backend} · egress ${done.egress}: ${parts.join(', ')} (${seconds} s)`],
      exitCode: count('broken') === 0 ? exitCodes.done : exitCodes.no,
    }
  } finally {
    host[Symbol.dispose]()
  }
}

/** Maximum width of the line for a guarantee that was held. Other lines are not cut. */
const widest = 160

function line({ id, status, evidence }: Verified): string {
  const mark = status === 'held' ? '✓' : status === 'broken' ? '✗ BROKEN' : '– not enforceable here:'
  const text = printable(`${mark} ${id}  ${evidence}`)
  return status === 'held' && text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

/** @throws PaddockError for a text that names no isolation level */
function readPosture(text: string = defaultPosture): Posture {
  const found = postures.find((each) => each === text)
  if (found !== undefined) return found
  throw new PaddockError('BAD_INPUT', `--posture ${text}: there is no such isolation level.`, {
    hint: `Use one of: ${postures.join(', ')}`,
  })
}

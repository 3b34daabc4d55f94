import * as z from 'zod'
import type { AgentAdapter, Installation } from '../adapters/adapter.ts'
import { adapters } from '../adapters/find-adapter.ts'
import { PaddockError } from '../base/errors.ts'
import type { StartCell } from '../cell/cell.ts'
import type { Transport } from '../cell/places/eager-duplex.ts'
import { openPlace } from '../cell/places/place-cells.ts'
import type { CellPlan } from '../cell/plan/plan.ts'
import { askAboutTrifecta, refuseTrifecta, ruleFor, type TrifectaMeans } from '../cell/plan/trifecta/trifecta-gate.ts'
import type { GatewayMeans } from '../cell/run/gateway-for.ts'
import { endEvent, launchEvent } from '../cell/run/report-of-cell.ts'

/** Another machine, where cells run whose gateway is here. */
export interface Elsewhere {
  readonly startCell: StartCell
  /** Returns the location of an agent's program there, or of this one instead; null: the program is not installed there. */
  installation(adapter: AgentAdapter, program?: string | null): Promise<Installation | null>
  close(): void
}

export interface ElsewhereOptions {
  /** What the user calls the machine. */
  readonly name: string
  /** Absolute path of the user's home directory here. */
  readonly userHome: string
  /** Milliseconds for which a cell goes on without a connection. */
  readonly keepMs: number
  /** Absolute path of a directory for contents on their way. */
  readonly scratch: string
  /** Called with the plan of each cell just before it starts. */
  readonly onPlan: (plan: CellPlan) => void
}

/** @param open opens a transport to the machine's `CellServer`, and again if the connection is lost. */
export function elsewhere(
  open: () => Promise<Transport>,
  { name, userHome, keepMs, scratch, onPlan }: ElsewhereOptions,
  means: GatewayMeans & { readonly trifecta?: TrifectaMeans },
): Elsewhere {
  const { audit, trifecta } = means
  const place = openPlace(open, {
    ...means,
    userHome,
    keepMs,
    scratch,
    async judge(planned, io) {
      const { spec, plan } = planned
      const consent =
        trifecta === undefined ? null : await askAboutTrifecta(plan, await ruleFor(spec.trifecta, trifecta), spec.trifecta, trifecta)
      // The user may have made the rule stricter while the question was open.
      refuseTrifecta(plan, await ruleFor(spec.trifecta, trifecta), spec.trifecta, consent)
      onPlan(plan)
      const launch = launchEvent(planned, io)
      audit({ ...launch, data: { ...launch.data, on: name } })
    },
  })
  return {
    async startCell(spec, io, signal) {
      const cell = await place.start(spec, io, signal)
      const noteEnd = async (): Promise<void> => {
        const report = await cell.done
        const code = report.ending.kind === 'exited' ? report.ending.code : null
        audit(endEvent({ code, spec, remains: { traffic: null } }, report))
      }
      noteEnd().catch(() => undefined)
      return cell
    },
    async installation({ name: agent }, program = null) {
      const answer = installationSchema.safeParse(await place.ask(JSON.stringify({ agent, program })))
      if (answer.success) return answer.data
      throw new PaddockError('CELL_FAILED', `${name} gives no usable answer about ${agent}.`, { cause: answer.error })
    },
    close: () => place.close(),
  }
}

const questionSchema = z.strictObject({ agent: z.string(), program: z.string().nullable() })

/** What another machine says about an agent's program. Its mounts name files there, so none of them makes a file of this machine travel. */
const installationSchema = z
  .strictObject({
    /** Empty: the request has the whole command. */
    program: z.string().regex(/^(?:\/|$)/),
    mounts: z.array(
      z.strictObject({
        source: z.string().startsWith('/'),
        target: z.string().startsWith('/').exactOptional(),
        access: z.literal('ro'),
        reason: z.enum(['agent', 'toolchain']),
      }),
    ),
    pathEntries: z.array(z.string().startsWith('/')),
    version: z.string().nullable(),
  })
  .nullable()

/** Answers a question of `Elsewhere` about an agent on this machine. Rejects if it is none. */
export async function answerAbout(
  question: string,
  locate: (adapter: AgentAdapter, program: string | null) => Promise<Installation | null>,
): Promise<Installation | null> {
  const { agent, program } = questionSchema.parse(JSON.parse(question))
  const adapter = adapters.find((each) => each.name === agent)
  if (adapter === undefined) throw new Error(`there is no agent ${agent}`)
  const found = await locate(adapter, program)
  if (found === null) return null
  return { ...found, mounts: found.mounts.map((each) => ({ ...each, reason: each.reason === 'toolchain' ? 'toolchain' : 'agent' })) }
}

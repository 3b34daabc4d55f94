import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { trajectoryDocument } from '../../adapters/output/trajectory/trajectory-document.ts'
import { eventsIn } from '../../adapters/output/trajectory/write-trajectory.ts'
import { openJsonLines } from '../../files/append.ts'
import type { HeadlessEnd } from '../../run/headless.ts'
import { openReportFile } from './report-file.ts'

const maxEvents = 200_000

/** The trajectory of one run (`--trajectory`). Its events are kept in a temporary directory until the run has ended. */
export interface RunTrajectory extends AsyncDisposable {
  add(event: AgentEvent): Promise<void>
  /** Writes the file; returns an error message if that fails, else null. */
  write(end: HeadlessEnd): Promise<string | null>
}

/** The facts about a run that are known before it starts. */
export interface AskedRun {
  readonly prompt: string
  readonly agent: { readonly name: string; readonly version: string | null; readonly model: string | null }
}

/** @throws PaddockError BAD_INPUT if no file can be written there */
export async function openRunTrajectory(file: string, { prompt, agent }: AskedRun): Promise<RunTrajectory> {
  const output = openReportFile(file, { option: '--trajectory', what: 'the trajectory' })
  const directory = await mkdtemp(path.join(tmpdir(), 'paddock-trajectory-'))
  const transcript = path.join(directory, 'agent.jsonl')
  const events = await openJsonLines(transcript, { mode: 0o600 })
  let count = 0
  return {
    async add(event) {
      count += 1
      if (count <= maxEvents) await events.append({ at: new Date().toISOString(), ...event })
    },
    async write({ report, summary }) {
      const facts = {
        ...{ id: report.cell, session: summary.conversation, agent, prompt, startedAt: report.startedAt },
        ...{ usage: summary.usage, costUsd: summary.costUsd, isCut: count > maxEvents },
      }
      return await output.write(trajectoryDocument(eventsIn(transcript), facts))
    },
    async [Symbol.asyncDispose]() {
      await events.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

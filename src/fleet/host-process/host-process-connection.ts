import type { Socket } from 'node:net'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { AgentData } from '../data-directory.ts'
import { idPatterns } from '../ids.ts'
import { framesOf } from './host-frames.ts'
import type { Jobs } from './host-jobs.ts'
import { type FromHost, protocolVersion, type ToHost, toHost } from './host-protocol.ts'
import type { Terminals } from './host-terminals.ts'
import { writtenEvents } from './written-events.ts'

/** Milliseconds within which several additions to a transcript are combined into one frame. */
const gatherMs = 20

export interface ConnectionMeans {
  readonly jobs: Jobs
  readonly terminals: Terminals
  readonly data: AgentData
  readonly hello: () => FromHost
  readonly end: (now: boolean) => void
  readonly onClose: () => void
}

/** The connection to one server, in the host process. */
export interface ServedConnection {
  /** Sends a frame that is meant for every server; reports additions only for transcripts that the server follows. */
  tell(
    frame: Extract<FromHost, { type: 'wrote' | 'state' | 'budget' | 'call' | 'withdrawn' | 'session' | 'unopened' | 'closed' | 'ended' }>,
  ): void
  end(): void
}

/** Types of frames that only a server of this version understands. */
const newer: ReadonlySet<FromHost['type']> = new Set(['call', 'withdrawn', 'session', 'unopened', 'closed'])

/** Answers the frames of one server. A frame with an invalid id of a job or session ends the connection. */
export function connectionOf(socket: Socket, means: ConnectionMeans): ServedConnection {
  const { jobs, terminals, data } = means
  /** The transcripts that the server follows, and their newest event numbers that were not sent to it yet. */
  const followed = new Set<string>()
  const grown = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let version = 0

  const frames = framesOf<typeof toHost, FromHost>(socket, toHost, {
    frame,
    close() {
      clearTimeout(timer)
      means.onClose()
    },
  })
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const [job, events] of grown) frames.send({ type: 'wrote', job, events })
    grown.clear()
  }

  function frame(asked: ToHost): void {
    if ('job' in asked && !idPatterns.job.test(asked.job)) throw new Error('not the id of a job')
    if ('session' in asked && !idPatterns.session.test(asked.session)) throw new Error('not the id of a session')
    switch (asked.type) {
      case 'hello':
        version = asked.version
        frames.send(means.hello())
        if (version === protocolVersion) for (const each of jobs.calls.open) frames.send(each)
        return
      case 'status':
        return frames.send({ type: 'status', jobs: jobs.statuses() })
      case 'tail':
        return void tail(asked.job)
      case 'cancel':
        return jobs.cancel(asked.job)
      case 'answer':
        return jobs.calls.answer(asked)
      case 'spent':
        return jobs.spent(asked.job, asked.child, asked.used)
      case 'open':
        return void open(asked)
      case 'close':
        return terminals.close(asked.session)
      case 'attach':
        return attach(asked)
      case 'end':
        return means.end(asked.now)
      case 'run':
        return void run(asked)
    }
  }

  async function tail(job: string): Promise<void> {
    followed.add(job)
    const events = jobs.events(job) ?? (await writtenEvents(data.job(job).transcript))
    frames.send({ type: 'wrote', job, events: jobs.events(job) ?? events })
  }

  async function open({ type: _, ...order }: Extract<ToHost, { type: 'open' }>): Promise<void> {
    if (version === protocolVersion) await terminals.open(order)
  }

  function attach({ version: theirs, session, viewer }: Extract<ToHost, { type: 'attach' }>): void {
    if (theirs !== protocolVersion) return frames.destroy()
    clearTimeout(timer)
    const socket = frames.release()
    means.onClose()
    terminals.attach(session, socket, viewer)
  }

  async function run({ type: _, ...order }: Extract<ToHost, { type: 'run' }>): Promise<void> {
    try {
      if (version !== protocolVersion)
        throw new PaddockError(
          'CONFLICT',
          `A server of protocol ${version} cannot start jobs in a host process of protocol ${protocolVersion}.`,
        )
      for (const each of await jobs.accept(order)) frames.send(each)
    } catch (error) {
      const { code, hint } = error instanceof PaddockError ? error : { code: 'FILES_FAILED', hint: undefined }
      frames.send({ type: 'refused', job: order.job, code, message: messageOf(error), hint: hint ?? null })
    }
  }

  return {
    tell(told) {
      // Servers of another version would not understand the frame.
      if (newer.has(told.type) && version !== protocolVersion) return
      if (told.type !== 'wrote') {
        flush()
        frames.send(told)
        if (told.type === 'ended') followed.delete(told.job)
      } else if (followed.has(told.job)) {
        grown.set(told.job, told.events)
        timer ??= setTimeout(flush, gatherMs)
      }
    },
    end() {
      flush()
      frames.end()
    },
  }
}

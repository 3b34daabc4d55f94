import type { AgentEvent } from '../../adapters/output/events.ts'
import type { EventLine } from './event-line.ts'

type WithoutTime<Line> = Line extends EventLine ? Readonly<Omit<Line, 'at'>> : never

/** What goes into events.jsonl: everything but what agents say, which their own transcripts hold. */
export type RecordedEvent = WithoutTime<EventLine>

type Started = Extract<RecordedEvent, { readonly type: 'started' }>

export type Role = Started['role']

/** Which of its tasks a judge is at, if it has several. */
export type OfTask = Pick<Started, 'task'>

/** What happens while a contest runs, for its display. Nothing here tells which label is whose. */
export type ContestEvent =
  | RecordedEvent
  /** One thing that an agent said or did. Many of these. */
  | ({ readonly type: 'agent'; readonly role: Role; readonly name: string; readonly event: AgentEvent } & OfTask)

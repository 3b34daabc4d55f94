import type { AgentEvent } from '../../adapters/output/events.ts'
import type { EventLine } from './event-line.ts'

type WithoutTime<Line> = Line extends EventLine ? Readonly<Omit<Line, 'at'>> : never

/** An event for events.jsonl: any event except the output of agents, which is in their own transcripts. */
export type RecordedEvent = WithoutTime<EventLine>

type Started = Extract<RecordedEvent, { readonly type: 'started' }>

export type Role = Started['role']

/** The current task of a judge, if it has several. */
export type OfTask = Pick<Started, 'task'>

/** An event while a contest runs, for its display. It does not reveal which label is whose. */
export type ContestEvent =
  | RecordedEvent
  /** One thing that an agent said or did. There are many of these. */
  | ({ readonly type: 'agent'; readonly role: Role; readonly name: string; readonly event: AgentEvent } & OfTask)

import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import type { EventLine } from './event-line.ts'

type WithoutTime<Line> = Line extends EventLine ? Readonly<Omit<Line, 'at'>> : never

/** An event for events.jsonl: any event except the output of agents, which is in the agents' own transcripts. */
export type RecordedEvent = WithoutTime<EventLine>

type Started = Extract<RecordedEvent, { readonly type: 'started' }>

export type Role = Started['role']

/** The current task, for a judge that has several tasks. */
export type OfTask = Pick<Started, 'task'>

/** An event during a contest, for display. It does not reveal labels. */
export type ContestEvent =
  | RecordedEvent
  /** A message or an action of an agent. These events are frequent. */
  | ({ readonly type: 'agent'; readonly role: Role; readonly name: string; readonly event: AgentEvent } & OfTask)

import type { Job } from '../queue/queue.ts'
import type { Agent } from '../store/agents.ts'
import type { AgentQuestion } from './question-post.ts'

/** What a user of a channel may do with its agent, and with no other: what an operator may over the API. Each throws what refuses it. */
export interface AgentAccess {
  /** The same key again is the same job. */
  give(agent: Agent, prompt: string, by: Requester): Promise<Job>
  /** Goes on in the conversation of a job, once that has ended. */
  message(agent: Agent, job: string, prompt: string, by: Requester): Promise<Job>
  /** Ends a job; null: the one that runs, the newest first. Returns its id. */
  stop(agent: Agent, job: string | null): Promise<string>
  /** What jobs of the agent ask; those of leases are their owner's. `cells`: also what their cells ask, which takes a process to find. */
  questions(agent: Agent, cells: boolean): Promise<readonly AgentQuestion[]>
  /** The first answer counts. */
  answer(agent: Agent, question: string, text: string, by: string): Promise<string>
}

/** Who asks for a job. */
export interface Requester {
  /** `discord:` and the id of the user. */
  readonly name: string
  readonly key: string
}

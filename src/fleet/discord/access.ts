import type { Job } from '../queue/queue.ts'
import type { Agent } from '../store/agents.ts'
import type { AgentQuestion } from './question-post.ts'

/** What a user of a channel may do with its agent and no other, as an operator may over the API. Each method throws if it refuses. */
export interface AgentAccess {
  /** Gives a job. The same key again returns the same job. */
  give(agent: Agent, prompt: string, by: Requester): Promise<Job>
  /** Continues the conversation of a job once that has ended. */
  message(agent: Agent, job: string, prompt: string, by: Requester): Promise<Job>
  /** Ends a job and returns its id. `job` null: the newest of those that run. */
  stop(agent: Agent, job: string | null): Promise<string>
  /** Returns the questions of the agent's jobs, without those of leases. `cells`: also questions of cells, which takes a process. */
  questions(agent: Agent, cells: boolean): Promise<readonly AgentQuestion[]>
  /** Answers a question. Only the first answer counts. */
  answer(agent: Agent, question: string, text: string, by: string): Promise<string>
}

/** The user who asks for a job. */
export interface Requester {
  /** `discord:` and the id of the user. */
  readonly name: string
  readonly key: string
}

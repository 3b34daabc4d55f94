import type { Agent } from '../store/agent-store.ts'
import type { Job } from '../store/job-records.ts'
import type { AgentQuestion } from './question-post.ts'

/** The actions of a channel's user on the channel's agent, with the rights of an API operator. Each method throws if it refuses. */
export interface AgentAccess {
  /** Gives a job to the agent. A repeated key returns the same job. */
  give(agent: Agent, prompt: string, by: Requester): Promise<Job>
  /** Continues the conversation of a job once that job has ended. */
  message(agent: Agent, job: string, prompt: string, by: Requester): Promise<Job>
  /** Ends a job and returns its id. If `job` is null, ends the newest running job. */
  stop(agent: Agent, job: string | null): Promise<string>
  /** Returns the questions of the agent's jobs, except jobs of leases. `cells`: includes questions of cells, which starts a process. */
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

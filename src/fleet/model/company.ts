import type { ToolAnswer } from './runner-client.ts'

/** Access to humans and other agents for a model. Methods reject only if the job is ending. */
export interface Company {
  /** Asks a human. */
  ask(question: string, signal: AbortSignal): Promise<ToolAnswer>
  /** Asks a human whether a tool may be called. `input` is text. */
  allows(tool: string, input: string, signal: AbortSignal): Promise<ToolAnswer>
  /** Gives a job to another agent and, by default, waits for its answer; or waits for a job that was given earlier. */
  delegate(wish: DelegateWish, signal: AbortSignal): Promise<ToolAnswer>
}

export interface DelegateWish {
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
  readonly wait?: boolean | undefined
  /** A job that was given earlier, to wait for. */
  readonly job?: string | undefined
}

import type { ToolAnswer } from './runner-client.ts'

/** A model's access to humans and other agents. Methods reject only if the job is ending. */
export interface Company {
  /** Asks a human. */
  ask(question: string, signal: AbortSignal): Promise<ToolAnswer>
  /** Asks a human whether a tool may be called. `input` is the tool's input as text. */
  allows(tool: string, input: string, signal: AbortSignal): Promise<ToolAnswer>
  /** Gives a job to another agent and, by default, waits for the answer; or waits for a job that was given earlier. */
  delegate(wish: DelegateWish, signal: AbortSignal): Promise<ToolAnswer>
}

export interface DelegateWish {
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
  readonly wait?: boolean | undefined
  /** The id of an earlier job to wait for. */
  readonly job?: string | undefined
}

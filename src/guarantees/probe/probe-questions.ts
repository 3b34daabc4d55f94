import type { OpenQuestion } from '../../egress/approvals/approval-schema.ts'
import type { ApprovalTerminal } from '../../egress/approvals/approver.ts'
import type { GivenAnswer } from '../../egress/approvals/open-questions.ts'

/** The human of the probes. Receives the questions of cells, and answers them as a probe has specified for the host, or not at all. */
export class ProbeQuestions implements ApprovalTerminal {
  readonly #answers = new Map<string, (question: OpenQuestion) => GivenAnswer | null>()
  readonly #asked: OpenQuestion[] = []

  /** Sets the answers to questions about a host. Null means no answer. */
  answer(host: string, how: (question: OpenQuestion) => GivenAnswer | null): void {
    this.#answers.set(host, how)
  }

  /** Returns the questions about a host, in order. */
  about(host: string): readonly OpenQuestion[] {
    return this.#asked.filter((each) => each.host === host)
  }

  ask(question: OpenQuestion): Promise<GivenAnswer | null> {
    this.#asked.push(question)
    return Promise.resolve(this.#answers.get(question.host)?.(question) ?? null)
  }
}

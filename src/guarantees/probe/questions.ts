import type { ApprovalTerminal } from '../../egress/approvals/approver.ts'
import type { GivenAnswer } from '../../egress/approvals/open-questions.ts'
import type { OpenQuestion } from '../../egress/approvals/schema.ts'

/** The human of the probes: is asked what cells ask, and answers by what a probe said about a host. Without that, nobody answers. */
export class ProbeQuestions implements ApprovalTerminal {
  readonly #answers = new Map<string, (question: OpenQuestion) => GivenAnswer | null>()
  readonly #asked: OpenQuestion[] = []

  /** How questions about a host are answered; null: not at all. */
  answer(host: string, how: (question: OpenQuestion) => GivenAnswer | null): void {
    this.#answers.set(host, how)
  }

  /** What was asked about a host, in order. */
  about(host: string): readonly OpenQuestion[] {
    return this.#asked.filter((each) => each.host === host)
  }

  ask(question: OpenQuestion): Promise<GivenAnswer | null> {
    this.#asked.push(question)
    return Promise.resolve(this.#answers.get(question.host)?.(question) ?? null)
  }
}

import type { Canary, Unset } from './canary.ts'

/** The canaries that are set for a run, with the steps that undo them. */
export class Gathering {
  readonly canaries: Canary[] = []
  readonly unset: Unset[] = []
  readonly #undo: (() => unknown)[] = []

  add(...canaries: readonly Canary[]): void {
    this.canaries.push(...canaries)
  }

  cannot(id: string, why: string): void {
    this.unset.push({ id, why })
  }

  onEnd(undo: () => unknown): void {
    this.#undo.push(undo)
  }

  /** Undoes everything, the newest step first. A failure does not stop the rest. */
  async end(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) {
      try {
        await undo()
      } catch {
        // The directory that contains everything is removed in any case.
      }
    }
  }
}

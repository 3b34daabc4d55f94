/** When something must be done by. */
export class Deadline {
  readonly #end: number

  constructor(ms: number) {
    this.#end = performance.now() + ms
  }

  /** Milliseconds; 0: it has passed. */
  get left(): number {
    return Math.max(0, this.#end - performance.now())
  }

  get passed(): boolean {
    return this.left === 0
  }
}

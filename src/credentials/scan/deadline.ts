/** A point in time by which work must be done. */
export class Deadline {
  readonly #end: number

  constructor(ms: number) {
    this.#end = performance.now() + ms
  }

  /** The time left, in milliseconds; 0 after the deadline. */
  get left(): number {
    return Math.max(0, this.#end - performance.now())
  }

  get passed(): boolean {
    return this.left === 0
  }
}

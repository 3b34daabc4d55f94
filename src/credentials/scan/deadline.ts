/** A point in time by which something must be done. */
export class Deadline {
  readonly #end: number

  constructor(ms: number) {
    this.#end = performance.now() + ms
  }

  /** Milliseconds left; 0 if it has passed. */
  get left(): number {
    return Math.max(0, this.#end - performance.now())
  }

  get passed(): boolean {
    return this.left === 0
  }
}

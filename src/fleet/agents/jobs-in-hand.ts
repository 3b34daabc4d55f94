import type { Job } from '../store/job-records.ts'

/** What a worker knows of a job that runs or waits. */
interface InHand {
  readonly slot: number
  /** The id of the job's lease, or null. */
  readonly lease: string | null
  /** False until there is a host process for a job that was taken from the queue. */
  isGiven: boolean
}

/** The jobs of an agent that run or wait. */
export class JobsInHand {
  readonly #jobs = new Map<string, InHand>()
  readonly #whenIdle: (() => void)[] = []

  get size(): number {
    return this.#jobs.size
  }

  has(job: string): boolean {
    return this.#jobs.has(job)
  }

  add({ id, slot, lease }: Job, isGiven: boolean): void {
    this.#jobs.set(id, { slot: slot ?? 1, lease, isGiven })
  }

  /** Records that a host process has this job, or should have it. */
  give(job: string): void {
    const inHand = this.#jobs.get(job)
    if (inHand !== undefined) inHand.isGiven = true
  }

  drop(job: string): void {
    this.#jobs.delete(job)
    if (this.#jobs.size === 0) for (const each of this.#whenIdle.splice(0)) each()
  }

  /** The jobs that a host process has, or should have. */
  get given(): readonly string[] {
    return [...this.#jobs].filter(([, each]) => each.isGiven).map(([id]) => id)
  }

  /** Whether all jobs were given to a host process. */
  get areGiven(): boolean {
    return [...this.#jobs.values()].every((each) => each.isGiven)
  }

  get slots(): readonly number[] {
    return [...this.#jobs.values()].map((each) => each.slot)
  }

  get leases(): readonly string[] {
    return [...this.#jobs.values()].flatMap((each) => each.lease ?? [])
  }

  /** Resolves as soon as no job runs or waits. */
  idle(): Promise<void> {
    return this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }
}

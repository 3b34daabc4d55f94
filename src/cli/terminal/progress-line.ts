/** A line on a terminal that counts the steps of a long operation, and is erased when the operation is done. */
export interface ProgressLine extends Disposable {
  /** Counts one step. Call it after each step. */
  readonly step: () => void
}

const firstMs = 1_000
const everyMs = 200

/** Shows `what`, the count and `unit` in one line. Shows nothing without a terminal, or for operations of less than a second. */
export function progressLine(
  what: string,
  unit: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): ProgressLine {
  if (out.isTTY !== true) return { step: () => undefined, [Symbol.dispose]: () => undefined }
  let [steps, next, shown] = [0, now() + firstMs, false]
  const show = (): void => {
    if (now() < next) return
    next = now() + everyMs
    shown = true
    out.write(`\r\u001b[Kpaddock: ${what}: ${steps.toLocaleString('en-US')} ${unit}`)
  }
  // A single step may take long, for example when a disk is slow to make everything durable.
  const timer = setInterval(show, everyMs).unref()
  return {
    step: () => {
      steps++
      show()
    },
    [Symbol.dispose]: () => {
      clearInterval(timer)
      if (shown) out.write('\r\u001b[K')
    },
  }
}

/** A progress line for callers that want no output. */
export const noProgress: ProgressLine = { step: () => undefined, [Symbol.dispose]: () => undefined }

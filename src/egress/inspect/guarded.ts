/**
 * Makes an event handler whose failure ends what it belongs to and nothing else: an exception that leaves a handler ends the process.
 * @param broken aborts the exchange or the connection; what it throws itself is dropped.
 */
export function guarded<Arguments extends readonly unknown[]>(
  act: (...values: Arguments) => void,
  broken: () => void,
): (...values: Arguments) => void {
  return (...values) => {
    try {
      act(...values)
    } catch {
      try {
        broken()
      } catch {
        // What is broken already is only being let go of; whoever waits for it hears of it by its own error or close.
      }
    }
  }
}

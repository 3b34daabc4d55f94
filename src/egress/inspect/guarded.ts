/**
 * Returns an event handler whose failure ends only its own exchange or connection. An uncaught exception in a handler would end the
 * process.
 * @param broken aborts the exchange or the connection. Its own exceptions are ignored.
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
        // It is already broken and is only being cleaned up. Anything that waits for it is notified by its own error or close event.
      }
    }
  }
}

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
        // The exchange or connection is broken and only being cleaned up. Waiting code is notified by its own error or close event.
      }
    }
  }
}

const [firstMs, everyMs] = [1_000, 500]

/** Shows on a terminal what a command is doing and for how long, once it takes more than a second. Disposing erases the line. */
export function waitingLine(
  what: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): Disposable {
  if (out.isTTY !== true) return { [Symbol.dispose]: () => undefined }
  const began = now()
  let isShown = false
  const timer = setInterval(() => {
    const ms = now() - began
    if (ms < firstMs) return
    isShown = true
    out.write(`\r\u001b[Kpaddock: ${what} (${Math.floor(ms / 1_000)} s)`)
  }, everyMs).unref()
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
      if (isShown) out.write('\r\u001b[K')
    },
  }
}

import { broken, type Guarantee, held } from '../guarantee.ts'

export const timeLimited: Guarantee = {
  id: 'time-limited',
  chapter: 'limits',
  claim: 'A cell with a timeout is ended when the time is up, however busy it is and whatever signals it ignores.',
  mechanism: 'A timer in the host process sends SIGTERM to every process of the cell, waits, then sends SIGKILL to its init.',
  kind: 'structural',
  why: 'The kernel ends a PID namespace with its init (pid_namespaces(7)). SIGKILL cannot be handled, and the timer does not run in the cell.',
  fails: ['paddock run has no time limit unless you set one (--timeout).', 'It is wall time, and a suspended machine stops the timer.'],
  probe: async (bench) => {
    const limit = 1_200
    const { report } = await bench.run(
      bench.command(({ childProcess }) => {
        const busy = `for (const each of ['SIGTERM', 'SIGINT']) process.on(each, () => {})
          const end = Date.now() + 9000; while (Date.now() < end);`
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
        for (let each = 0; each < 2; each++) childProcess.spawn(process.execPath, ['-e', busy], { detached: true, stdio: 'ignore' })
        return new Promise((resolve) => setTimeout(resolve, 9_000))
      }, null),
      { limits: { timeout: limit } },
    )
    if (report.ending.kind !== 'out-of-time')
      return broken(`a busy cell with a timeout of ${limit} ms ended after ${report.durationMs} ms, as ${report.ending.kind}`)
    return held(
      `two processes that compute endlessly and ignore SIGTERM: ended at the limit of ${limit} ms, by ${report.killLadder.join(', then ')}, all gone after ${report.durationMs} ms`,
    )
  },
}

import { broken, type Guarantee, held } from '../guarantee.ts'

export const timeLimited: Guarantee = {
  id: 'time-limited',
  chapter: 'limits',
  claim: 'A cell that was given a time is over when it is up, however busy it is and whatever signals it ignores.',
  mechanism: 'A timer of the host process: SIGTERM to every process of the cell, a pause, then SIGKILL to its init.',
  kind: 'structural',
  why: 'With its init the kernel ends a PID namespace (pid_namespaces(7)); SIGKILL cannot be handled, and the timer does not run in the cell.',
  fails: [
    'There is no time limit for paddock run unless you give one (--timeout).',
    'It is wall time; a suspended machine stops the timer.',
  ],
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
      return broken(`a busy cell with ${limit} ms ended after ${report.durationMs} ms, as ${report.ending.kind}`)
    return held(
      `two processes that compute without end and ignore SIGTERM: ended at the limit of ${limit} ms, by ${report.killLadder.join(', then ')}, all over after ${report.durationMs} ms`,
    )
  },
}

import { type Held, holdProcess } from './held-cell.ts'

/** Lower bound for the pid. It is larger than the pids of the few processes in a probe's cell. */
const leastNumber = 100
const script =
  'process.stdout.write("ready\\n"); process.on("SIGUSR1", () => process.exit(9)); process.stdin.once("end", () => process.exit(0)).resume()'

/** Starts a process on the host with a word among its arguments. The process exits with 9 at SIGUSR1, and with 0 on a request to end. */
export async function canaryProcess(word: string): Promise<Held<number | null> & { readonly pid: number }> {
  for (let tries = 0; ; tries++) {
    const started = await holdProcess(process.execPath, ['-e', script, word])
    if (started === null) throw new Error('Node could not be started on the host')
    if (started.pid > leastNumber || tries > leastNumber) return started
    await started.end()
  }
}

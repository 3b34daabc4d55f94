import { github } from './github.ts'
import { runJob } from './job.ts'

/** Runs the action. Its exit code is that of the job (docs/guide/ci.md). */
export async function run(): Promise<void> {
  process.exitCode = await runJob(github(process.env))
}

import { gitlab } from './gitlab.ts'
import { runJob } from './job.ts'

process.exitCode = await runJob(gitlab(process.env))

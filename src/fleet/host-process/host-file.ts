import * as z from 'zod'

/** `host.json`: written by a host process once it listens, removed by it when it ends. */
export const hostFileSchema = z.object({
  schemaVersion: z.literal(1),
  agent: z.string(),
  pid: z.int(),
  /** `ProcessIdentity.started`: the pid may belong to another process by now. */
  started: z.string(),
  /** Of the protocol. */
  version: z.int(),
  paddock: z.string(),
})
export type HostFile = z.output<typeof hostFileSchema>

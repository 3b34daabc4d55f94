import * as z from 'zod'

/** The content of `host.json`. A host process writes the file once it listens, and removes it when it ends. */
export const hostFileSchema = z.object({
  schemaVersion: z.literal(1),
  agent: z.string(),
  pid: z.int(),
  /** `ProcessIdentity.started`, because another process may have the pid by now. */
  started: z.string(),
  /** The version of the protocol. */
  version: z.int(),
  paddock: z.string(),
})
export type HostFile = z.output<typeof hostFileSchema>

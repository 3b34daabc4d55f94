import type * as z from 'zod'
import { auditResults } from '../audit/results.ts'
import { contestResults } from '../contest/results.ts'
import { suiteResults } from '../contest/suite/results.ts'
import { credentialResults } from '../credentials/results.ts'
import { vaultResults } from '../credentials/vault/results.ts'
import { approvalResults } from '../egress/approvals/results.ts'
import { cellResults } from './cells/results.ts'
import { configResults } from './config/results.ts'
import { copyResults } from './copy/results.ts'
import { agentResults } from './fleet/results/agents.ts'
import { jobResults } from './fleet/results/jobs.ts'
import { leaseResults } from './fleet/results/leases.ts'
import { scheduleResults } from './fleet/results/schedules.ts'
import { serverResults } from './fleet/results/server.ts'
import { tokenResults } from './fleet/results/tokens.ts'
import { webhookResults } from './fleet/results/webhooks.ts'
import { machineResults } from './machine/results.ts'
import { runResults } from './run/results.ts'
import { worktreeResults } from './worktree/results.ts'

/** The schema of each command's `--json` output, by command name. The reference is generated from it, and tests validate against it. */
export const results = {
  ...runResults,
  ...copyResults,
  ...worktreeResults,
  ...cellResults,
  ...configResults,
  ...machineResults,
  ...auditResults,
  ...approvalResults,
  ...vaultResults,
  ...credentialResults,
  ...contestResults,
  ...suiteResults,
  ...serverResults,
  ...agentResults,
  ...jobResults,
  ...scheduleResults,
  ...webhookResults,
  ...leaseResults,
  ...tokenResults,
}

export type CommandName = keyof typeof results

type Readable<T> = T extends (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Readable<T[Key]> }
    : T

/** The data of a command's answer, by command name. */
export type Result<Name extends CommandName> = Readable<z.input<(typeof results)[Name]>>

import type * as z from 'zod'
import { attestResults } from '../attest/attest-results.ts'
import { auditResults } from '../audit/audit-results.ts'
import { contestResults } from '../contest/contest-results.ts'
import { suiteResults } from '../contest/suite/suite-results.ts'
import { credentialResults } from '../credentials/credentials-results.ts'
import { vaultResults } from '../credentials/vault/vault-results.ts'
import { approvalResults } from '../egress/approvals/approvals-results.ts'
import { cellResults } from './cells/cells-results.ts'
import { configResults } from './config/config-results.ts'
import { copyResults } from './copy/copy-command-results.ts'
import { agentResults } from './fleet/results/agent-results.ts'
import { jobResults } from './fleet/results/job-results.ts'
import { leaseResults } from './fleet/results/lease-results.ts'
import { scheduleResults } from './fleet/results/schedule-results.ts'
import { serverResults } from './fleet/results/server-results.ts'
import { tokenResults } from './fleet/results/token-results.ts'
import { webhookResults } from './fleet/results/webhook-results.ts'
import { machineResults } from './machine/machine-results.ts'
import { postureResults } from './posture/posture-results.ts'
import { remoteResults } from './remote/remote-results.ts'
import { runResults } from './run/run-results.ts'
import { shimResults } from './shim/shim-results.ts'
import { worktreeResults } from './worktree/worktree-command-results.ts'

/** The schema of each command's `--json` output, by command name. The reference is generated from it, and tests validate against it. */
export const results = {
  ...runResults,
  ...copyResults,
  ...worktreeResults,
  ...cellResults,
  ...configResults,
  ...machineResults,
  ...postureResults,
  ...remoteResults,
  ...auditResults,
  ...attestResults,
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
  ...shimResults,
}

export type CommandName = keyof typeof results

type Readable<T> = T extends (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Readable<T[Key]> }
    : T

/** The data of a command's answer, by command name. */
export type Result<Name extends CommandName> = Readable<z.input<(typeof results)[Name]>>

import type * as z from 'zod'
import { copyResults } from './copy/results.ts'
import { jobResults } from './fleet/results/jobs.ts'
import { tokenResults } from './fleet/results/tokens.ts'

/** What each command prints with `--json`, by its name: the reference is generated from it, and tests validate against it. */
export const results = { ...copyResults, ...jobResults, ...tokenResults }

export type CommandName = keyof typeof results

type Readable<T> = T extends (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Readable<T[Key]> }
    : T

/** The data that a command answers with. */
export type Result<Name extends CommandName> = Readable<z.input<(typeof results)[Name]>>

import type * as z from 'zod'
import type { Frozen } from '../base/frozen.ts'
import type { reportSchema } from './report-schema.ts'

/** The results of a cell after its end, in the JSON form of `--report FILE`. */
export type CellReport = Frozen<z.output<typeof reportSchema>>

/** The way in which a cell ended. `endingOf` decides which one applies. */
export type CellEnding = CellReport['ending']

export type ChangeSummary = NonNullable<CellReport['changes']>

/** What happened to git in one work tree. */
export type GitChanges = ChangeSummary['git'][number]

export type GitOperation = NonNullable<GitChanges['inProgress']>

/** A commit that was made in the cell or fetched. */
export type MadeCommit = GitChanges['commits'][number]

/** A submodule, and the work tree to which it belongs. */
export type SubmoduleEntry = NonNullable<ChangeSummary['unregistered']>[number]

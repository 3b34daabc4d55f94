import type { Guarantee } from '../guarantee.ts'
import { copyLeavesProject } from './copy-leaves-project.ts'
import { projectFileFixed } from './project-file-fixed.ts'
import { projectFileNeedsTrust } from './project-file-needs-trust.ts'
import { reviewRunsNothing } from './review-runs-nothing.ts'

export const trustGuarantees: readonly Guarantee[] = [projectFileNeedsTrust, projectFileFixed, copyLeavesProject, reviewRunsNothing]

import { chmodSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { listCopies } from '../../copy/all-copies.ts'
import { type CopyHost, copiesDirectory } from '../../copy/copy-host.ts'
import type { Copy } from '../../copy/hold-copy.ts'
import type { Entry } from '../../copy/manifest.ts'
import { layCopy } from '../../copy/taking/lay-copy.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { readContest } from '../config/brief.ts'
import type { Layout } from '../config/contest-layout.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import { mustTakePart } from '../config/takes-part.ts'
import { neverRun } from '../run/stage.ts'
import { lastSeal, readSeal, type SealRef } from '../seal/read-seal.ts'
import type { Seal } from '../seal/seal-schema.ts'
import { unseal } from '../seal/unseal.ts'
import { readStatus } from '../state/contest-state.ts'
import { type ContestProject, readProject } from '../state/project-file.ts'
import { baseOf, modeInProject } from './base.ts'

/** Sealed work of a contest that was made from a project. */
export interface ProjectWork {
  readonly layout: Layout
  readonly config: ContestConfig
  readonly project: ContestProject
  readonly ref: SealRef
  readonly seal: Seal
}

/**
 * Returns the sealed work named by `NAME` (its newest seal) or `NAME@ROUND`.
 * @throws PaddockError NOT_FOUND if the contest has no project, or no sealed work has that name
 */
export async function projectWork(directory: string, who: string): Promise<ProjectWork> {
  const { layout, config } = await readContest(directory)
  await refuseLinkedRecords(layout)
  const project = await readProject(layout)
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  const [, name = who, at] = /^([^@]+)(?:@([1-9]\d{0,8}))?$/.exec(who) ?? []
  const names = config.participants.map((each) => each.name)
  mustTakePart(name, names, 'apply')
  const found = at === undefined ? await lastSeal(layout, status.round, name) : await sealIn(layout, Number(at), name)
  if (found === null)
    throw new PaddockError('NOT_FOUND', `Nothing of ${who} is sealed in ${layout.root}.`, {
      hint: 'paddock contest status shows who submitted work',
    })
  const { seal, ...ref } = found
  return { layout, config, project, ref, seal }
}

async function sealIn(layout: Layout, round: number, participant: string): Promise<(SealRef & { readonly seal: Seal }) | null> {
  const seal = await readSeal(layout, round, participant)
  return seal?.state === 'sealed' ? { participant, round, tree: seal.tree, seal } : null
}

/**
 * Returns a copy of `target` (absolute, without links) with the submission in it, which can be reviewed and applied like any other copy. It
 * is either the copy that an earlier call left because it could not be applied, or a new one. The caller must hold the lock of the project.
 */
export async function submissionCopy({ layout, project, ref, seal }: ProjectWork, target: string, host: CopyHost): Promise<Copy> {
  const submission = { contest: layout.root, participant: ref.participant, round: ref.round, tree: ref.tree }
  const { copies } = await listCopies(copiesDirectory(host.paths))
  const key = JSON.stringify(submission)
  const before = copies.find((each) => each.record.project === target && JSON.stringify(each.record.submission) === key)
  if (before !== undefined) return before
  const base = baseOf(project.entries, seal, (file) => modeAt(target, file))
  return await layCopy({
    copies: copiesDirectory(host.paths),
    project: target,
    base,
    about: { options: { ignored: false }, repositories: project.repositories, notes: [], submission },
    ...(project.commit === undefined ? {} : { head: project.commit }),
    async fill(tree) {
      await unseal(layout.sealed(ref.round, ref.participant), seal, tree)
      const entries = new Map<string, Entry>(base.map((each) => [each.path, each]))
      for (const { path: file, mode } of seal.files) {
        const wanted = modeInProject(mode, entries.get(file))
        if (wanted !== (mode === '0755' ? 0o755 : 0o644)) chmodSync(path.join(tree, file), wanted)
      }
    },
  })
}

/** Returns the current mode of a file in the project; null if the path is not a file, or is behind a link. */
function modeAt(project: string, file: string): number | null {
  try {
    if (kindBelow(project, path.join(project, file)) !== 'file') return null
    return inDirectory(path.join(project, file), (safe) => lstatSync(safe)).mode & 0o777
  } catch {
    return null
  }
}

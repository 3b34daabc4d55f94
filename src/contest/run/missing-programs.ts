import path from 'node:path'
import { ownNode } from '../../adapters/own-node.ts'
import type { Posture } from '../../base/posture.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { systemDirectories } from '../../system/host-program.ts'
import type { Contest } from '../config/brief.ts'
import { placeOf } from '../config/contest-places.ts'
import type { CheckConfig, RoleConfig } from '../config/contest-schema.ts'
import type { SenseProblem } from '../config/sense.ts'
import { roleKey } from '../config/variants.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** A command of contest.yaml, with what its cell gets from the contest's directory. */
interface Named {
  readonly key: KeyPath
  readonly command: readonly string[]
  /** The read-only directories of the cell, by the key that names them. */
  readonly shown: readonly { readonly key: string; readonly directory: string; readonly target: string }[]
  /** False for an agent whose program is found on the host, and is then in the cell. */
  readonly isInCell: boolean
  readonly posture: Posture
}

/**
 * Returns the programs and files that commands name, and that their cells do not have. If only the start of a cell can tell, for example
 * for a program of a submission, there is no problem.
 */
export function missingPrograms(
  { config, layout }: Pick<Contest, 'config' | 'layout'>,
  isWanted: (group: 'participants' | 'judges' | 'checks', name: string) => boolean,
  { programs, place }: Pick<ContestDeps, 'programs' | 'place'>,
): readonly SenseProblem[] {
  const shown = (key: string, directory: string | undefined, target: string): Named['shown'] =>
    directory === undefined ? [] : [{ key, directory: path.join(layout.root, directory), target }]
  const ofRole = (group: 'participants' | 'judges') => (each: RoleConfig, index: number) =>
    each.command === undefined || !isWanted(group, each.name)
      ? []
      : [
          {
            key: roleKey(config, group, index, 'command'),
            command: each.command,
            shown: shown('files', each.files, '/agent'),
            isInCell: each.agent === 'command',
            posture: placeOf(config, each, place).posture,
            env: [...Object.keys(group === 'participants' ? (config.workspace?.env ?? {}) : {}), ...(each.env ?? [])],
          },
        ]
  const ofCheck = (each: CheckConfig, index: number) =>
    (['run', 'verify', 'command'] as const).flatMap((part) => {
      const command = each[part]
      // A shell line is left to the shell.
      if (command === undefined || typeof command === 'string' || !isWanted('checks', each.name)) return []
      return [
        {
          key: ['checks', index, part],
          command,
          shown: [
            ...shown('inputs', each.inputs, '/inputs'),
            ...(part === 'run' ? [] : shown('files', each.files, each.filesAt ?? '/check')),
          ],
          isInCell: true,
          posture: placeOf(config, each, place).posture,
          env: part === 'verify' ? [] : Object.keys(config.workspace?.env ?? {}),
        },
      ]
    })
  return [
    ...config.participants.flatMap(ofRole('participants')),
    ...config.judges.flatMap(ofRole('judges')),
    ...config.checks.flatMap(ofCheck),
  ].flatMap((each) => [...(each.env.some((one) => /^PATH(?:=|$)/.test(one)) ? [] : missingProgram(each, programs)), ...missingFiles(each)])
}

function missingProgram(
  { key, command: [name = ''], isInCell, posture }: Named,
  programs: ContestDeps['programs'],
): readonly SenseProblem[] {
  const has = programs({ mounts: [ownNode.mount], pathEntries: [ownNode.pathEntry], posture })
  // A program with a relative path can be one of a submission. Elsewhere, the cell can have files that it gets at its start.
  const isSure = isInCell && (!name.includes('/') || systemDirectories.includes(path.posix.dirname(name)))
  return !isSure || has(name) ? [] : [{ path: [...key, 0], message: `names a program that the cell does not have: ${name}` }]
}

/** Returns the arguments that are paths in a read-only directory of the cell at which there is nothing. */
function missingFiles({ key, command, shown }: Named): readonly SenseProblem[] {
  return [...command.entries()].flatMap(([index, file]) => {
    const at = shown.find(({ target }) => contains(target, file))
    if (at === undefined || path.posix.normalize(file).replace(/\/$/, '') !== file.replace(/\/$/, '')) return []
    const source = path.join(at.directory, path.posix.relative(at.target, file))
    // Beyond a link, the cell may have the file.
    if (kindBelow(at.directory, source) !== null) return []
    return [{ path: [...key, index], message: `names a file that ${at.key} does not have: ${file}` }]
  })
}

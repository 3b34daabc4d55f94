import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BadPlace } from './bad-places.ts'
import type { Stage } from './cli.ts'

/** Programs of a system that is not the one of the test, such as package managers. Each notes the arguments that it was called with. */
export interface FakePrograms {
  /** The directory in which hidden programs are kept, for scripts that install them. */
  readonly kept: string
  /** The place where the programs are in /usr/bin and /usr/sbin, and os-release(5) describes another distribution. */
  readonly place: BadPlace
  /** Returns the calls so far, as `NAME ARGUMENTS`. */
  calls(): readonly string[]
}

/**
 * Makes such programs in a stage. `scripts`: what a program does besides noting its call, as shell text, by name. `hidden`: programs of
 * this machine that are not there. `also`: more shell text for the place.
 */
export function fakePrograms(
  stage: Stage,
  osRelease: string,
  scripts: Readonly<Record<string, string>>,
  { hidden = [], also = '' }: { readonly hidden?: readonly string[]; readonly also?: string } = {},
): FakePrograms {
  const directory = path.join(stage.root, 'fake')
  const [log, release, kept] = [path.join(directory, 'calls'), path.join(directory, 'os-release'), path.join(directory, 'kept')]
  mkdirSync(kept, { recursive: true })
  writeFileSync(log, '')
  chmodSync(log, 0o666)
  writeFileSync(release, osRelease)
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(directory, name), `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> ${log}\n${script}\n`, { mode: 0o755 })
    chmodSync(path.join(directory, name), 0o755)
  }
  // An overlay, so that programs can be added and hidden without a change of this machine.
  const lines = ['bin', 'sbin'].map((each) => {
    const [upper, work] = ['upper', 'work'].map((kind) => path.join(stage.root, `layers/${each}-${kind}`))
    const added = each === 'bin' ? Object.keys(scripts).map((name) => `cp ${directory}/${name} /usr/bin/`) : []
    const removed = hidden.map((name) => `if [ -e /usr/${each}/${name} ]; then mv -f /usr/${each}/${name} ${kept}/; fi`)
    const mount = `mount -t overlay none -o lowerdir=/usr/${each},upperdir=${upper},workdir=${work} /usr/${each}`
    return [`mkdir -p ${upper} ${work}`, mount, ...removed, ...added].join('\n')
  })
  const layers = `mkdir -p ${stage.root}/layers; mount -t tmpfs none ${stage.root}/layers`
  return {
    place: { prepare: [layers, ...lines, `mount --bind ${release} $(realpath /etc/os-release)`, also].join('\n') },
    kept,
    calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  }
}

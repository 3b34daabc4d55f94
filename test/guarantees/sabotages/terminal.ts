import type * as Printable from '../../../src/base/text.ts'
import type * as Arguments from '../../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import { changedSource } from './change-source.ts'
import { replace, type Sabotage } from './sabotage.ts'

const withArguments = (change: (args: readonly string[]) => readonly string[]): void =>
  replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
    bubblewrapArguments: (...given) => change(bubblewrapArguments(...given)),
  }))

export const terminalSabotages: readonly Sabotage[] = [
  {
    id: 'no-terminal-of-yours',
    without: 'a separate terminal session',
    egress: 'off',
    evidence: /session of Paddock/,
    break: () => withArguments((args) => args.filter((each) => each !== '--new-session')),
  },
  {
    id: 'keys-stay-in-the-cell',
    without: 'a private devpts',
    egress: 'off',
    evidence: /terminals? of the host/,
    break: () => withArguments((args) => args.toSpliced(args.indexOf('--remount-ro'), 0, '--dev-bind', '/dev/pts', '/dev/pts')),
  },
  {
    id: 'input-is-read-only',
    without: 'the copy of the input',
    egress: 'off',
    evidence: /now says/,
    nodeOptions: changedSource('cli/run/attach.ts', 'if (stat.isFIFO() || stat.isSocket())', 'if (stat.isFile())'),
    break: () => undefined,
  },
  {
    id: 'own-lines-clean',
    without: 'the escaping of control characters',
    egress: 'off',
    evidence: /would print/,
    break: () => replace<typeof Printable>('base/text.ts', () => ({ printable: (text) => text })),
  },
]

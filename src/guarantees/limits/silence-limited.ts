import { broken, type Guarantee, held } from '../guarantee.ts'

export const silenceLimited: Guarantee = {
  id: 'silence-limited',
  chapter: 'limits',
  claim: 'A cell with a silence limit is ended when it has written nothing for that long, and not while it writes.',
  mechanism: 'The host process counts the bytes that come out of the cell and ends it when the count stops growing.',
  kind: 'policy',
  why: 'Only bytes that arrive outside count, and a program that hangs cannot produce any.',
  fails: ['A program that writes a byte occasionally is never silent.'],
  probe: async (bench) => {
    const limits = { silence: 900 }
    const [talking, silent] = await Promise.all([
      bench.run(['/bin/sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.2; done; echo end'], { limits }),
      bench.run(['/bin/sh', '-c', 'echo begin; sleep 5; echo end'], { limits }),
    ])
    if (silent.report.ending.kind !== 'silent')
      return broken(`a cell that was silent for 5 s with a limit of 0.9 s ended as ${silent.report.ending.kind}`)
    if (!talking.stdout.includes('end'))
      return broken(`a cell that wrote a line every 0.2 s was ended (${talking.report.ending.kind}), so the probe is inconclusive`)
    return held('with a limit of 0.9 s, a silent cell was ended; one that wrote every 0.2 s for 1.6 s ended by itself')
  },
}

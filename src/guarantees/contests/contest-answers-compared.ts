import { broken, type Guarantee, held } from '../guarantee.ts'
import { probeSpeakingJudge } from '../probe/probe-contest.ts'

const writes = (file: number): string => `printf '{"scores":{"A":{"quality":${file}}}}' > /contest/outbox/scores.json`
const says = (message: number): string => `said='{\\"scores\\":{\\"A\\":{\\"quality\\":${message}}}}'`

export const answersCompared: Guarantee = {
  id: 'contest-answers-compared',
  chapter: 'contests',
  claim: 'Scores in a judge’s file that its last message does not repeat do not count, for judges that are agent CLIs.',
  mechanism: 'The scores in the last message, which comes through the CLI’s own output, are compared with the file before either is taken.',
  kind: 'policy',
  why: 'A program that a judge was made to run writes files in its cell; the last message is what the model answered.',
  fails: [
    'A program in the judge’s cell knows the format of the CLI’s output and writes there, too.',
    'Judges of the agent `command`: their output is not a message.',
  ],
  probe: async (bench) => {
    const differs = await probeSpeakingJudge(bench, `${writes(10)}\n${says(1)}`)
    if (differs.ranking[0]?.judgements.length !== 0) return broken('scores counted that the judge’s last message contradicts')
    const repeats = await probeSpeakingJudge(bench, `${writes(7)}\n${says(7)}`)
    if (repeats.ranking[0]?.score !== 70)
      return broken(`scores that were repeated did not count (${repeats.judges[0]?.why}), so nothing was shown`)
    return held(`10 in the file and 1 in the last message: refused; 7 in both: counted`)
  },
}

import { broken, type Guarantee, held } from '../guarantee.ts'
import { probeSpeakingJudge } from '../probe/probe-contest.ts'

const writes = (file: number): string => `printf '{"scores":{"A":{"quality":${file}}}}' > /contest/outbox/scores.json`
const says = (message: number): string => `said='{\\"scores\\":{\\"A\\":{\\"quality\\":${message}}}}'`

export const answersCompared: Guarantee = {
  id: 'contest-answers-compared',
  chapter: 'contests',
  claim: 'If an agent CLI judges, scores in its file count only if its last message repeats them.',
  mechanism: "The last message comes through the CLI's own output. Paddock compares its scores with the file before it accepts either.",
  kind: 'policy',
  why: "A program that a judge was tricked into running can write files in the cell, but the last message is the model's own answer.",
  fails: [
    "A program in the judge's cell knows the CLI's output format and writes to its output too.",
    'Judges with the agent `command`, because their output is not a message.',
  ],
  probe: async (bench) => {
    const differs = await probeSpeakingJudge(bench, `${writes(10)}\n${says(1)}`)
    if (differs.ranking[0]?.judgements.length !== 0) return broken("scores were counted although the judge's last message contradicts them")
    const repeats = await probeSpeakingJudge(bench, `${writes(7)}\n${says(7)}`)
    if (repeats.ranking[0]?.score !== 70)
      return broken(`scores repeated in the last message did not count (${repeats.judges[0]?.why}), so the probe is inconclusive`)
    return held(`10 in the file and 1 in the last message: refused; 7 in both: counted`)
  },
}

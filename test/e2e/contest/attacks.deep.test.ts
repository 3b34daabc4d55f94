import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Summary } from '../../../src/contest/ranking/contest-summary.ts'
import { both, makeStage, paddock, type Stage } from '../../support/cli.ts'

const commit = 'git init -q . && git add -A && git -c user.name=x -c user.email=x@x commit -qm x'

/** Writes a contest whose participants and judges are shell scripts. */
function lay(
  stage: Stage,
  participants: Readonly<Record<string, string>>,
  judges: Readonly<Record<string, string>>,
  more: object = {},
): string {
  const contest = path.join(stage.root, 'contest')
  const contender = ([name, script]: [string, string]) => {
    mkdirSync(path.join(contest, 'scripts', name), { recursive: true })
    writeFileSync(path.join(contest, 'scripts', name, 'start.sh'), script)
    return { name, agent: 'command', command: ['sh', '/agent/start.sh'], files: `scripts/${name}` }
  }
  const config = {
    ...{ schemaVersion: 1, name: 'attacked' },
    participants: Object.entries(participants).map(contender),
    judges: Object.entries(judges).map(contender),
    rubric: { scale: { min: 1, max: 9 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    ...more,
  }
  writeFileSync(path.join(contest, 'contest.yaml'), JSON.stringify(config))
  writeFileSync(path.join(contest, 'BRIEF.md'), 'Write answer.txt.\n')
  stage.own()
  return contest
}

const summaryOf = (contest: string): Summary => JSON.parse(readFileSync(path.join(contest, 'report/summary.json'), 'utf8'))

it.each(both)('A2: a submission that is a git repository does not change the scores of a judge that runs git in it, as %s', async (who) => {
  using stage = makeStage(who)
  const cheat = `#!/bin/sh
me=\${PWD#/contest/submissions/}; me=\${me%%/*}
(for n in $(seq 400); do
  s=; for l in $(ls /contest/submissions); do if [ $l = $me ]; then q=9; else q=1; fi; s="$s\${s:+,}\\"$l\\":{\\"quality\\":$q}"; done
  printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json; sleep 0.01
done) >/dev/null 2>&1 &`
  const judge = `cd /contest/submissions; s=
for l in *; do
  (cd $l; git status >/dev/null 2>&1; for d in $(find . -type d); do (cd $d; git status >/dev/null 2>&1); done)
  if [ -e $l/evil.txt ]; then q=1; else q=9; fi; s="$s\${s:+,}\\"$l\\":{\\"quality\\":$q}"
done
printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json; sleep 0.5`
  const contest = lay(
    stage,
    {
      evil: `touch evil.txt; cat > cheat.sh <<'END'\n${cheat}\nEND\nchmod +x cheat.sh; ${commit}; git config core.fsmonitor ./cheat.sh
        mkdir hidden; cp -r .git/. hidden/; cp cheat.sh hidden/; git -C hidden config core.bare false; git -C hidden config core.worktree .`,
      nice: 'echo good > answer.txt',
    },
    { judge },
  )
  const ran = await paddock(stage, ['contest', 'run', contest])
  expect(ran.code, ran.stderr).toBe(0)
  expect(summaryOf(contest).ranking.map((each) => [each.name, each.score])).toEqual([
    ['nice', 100],
    ['evil', 0],
  ])
})

/** Writes files that the host could run later into the working directory, at its root and deeper. */
const trap = (alarm: string): string => `
  make() { mkdir -p "$1" && (cd "$1" && echo x > file && ${commit} && git config core.fsmonitor "touch ${alarm}; true") || exit 9; }
  make .; make deep/er; make node_modules/package
  mkdir -p bare aside; cp -r .git/. bare/; cp -r .git aside/.git; cp -r bare node_modules/bare; cp -r bare .git.quarantined
  ln -s .git/x docs; mkdir .git/x; cp -r bare/. .git/x/; git -C .git/x config core.bare false; git -C .git/x config core.worktree .
  for d in . deep node_modules/package; do mkdir -p $d/.vscode $d/.claude; echo 'touch ${alarm}' > $d/.envrc; echo '{}' > $d/.vscode/tasks.json; echo '{}' > $d/.claude/settings.json; echo '{}' > $d/.mcp.json; done
  odd=$(printf 'odd\\377'); make "$odd"; cp -r bare/HEAD bare/refs bare/objects bare/config .
  echo done > answer.txt`

/** The same in a directory that its owner cannot read. The disk watch ends a user's cell with such a directory after a while. */
const closed = '; mkdir closed; cp -r deep closed/; chmod 000 closed'

const obeyed = ['.git', '.envrc', '.vscode', '.claude', '.mcp.json']

/** Runs git in every directory, also through links, and prints each repository. Skips objects/, where git would look further up. */
const askGit = `find "$1" -name objects -prune -o '(' -type d -o -type l ')' -exec sh -c 'cd "$1" 2>/dev/null || exit 0
  git status >/dev/null 2>&1; git rev-parse --git-dir >/dev/null 2>&1 && printf "%s\\n" "$1"' sh {} ';'`

/** Returns directories that git uses as a repository, and files that tools obey. */
function liveIn(contest: string): string[] {
  const names = obeyed.flatMap((each, at) => [...(at === 0 ? [] : ['-o']), '-name', each])
  const safe = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', ...safe }
  const found = execFileSync('find', [contest, ...names], { encoding: 'latin1' })
  const repositories = execFileSync('sh', ['-c', askGit, 'sh', contest], { encoding: 'latin1', env })
  return `${found}${repositories}`.split('\n').filter((each) => each !== '')
}

it.each(both)(
  'A3: files that participants and judges leave in a contest are not obeyed by git or other tools of the host, as %s',
  async (who) => {
    using stage = makeStage(who)
    const alarm = path.join(stage.root, 'alarm')
    const score = `s=; for l in $(ls /contest/submissions); do s="$s\${s:+,}\\"$l\\":{\\"quality\\":3}"; done; printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json`
    const contest = lay(
      stage,
      {
        delivers: trap(alarm) + closed,
        fails: `${trap(alarm)}${closed}; rm answer.txt; exit 3`,
        hangs: `${trap(alarm)}; sleep 60`,
      },
      { judge: `cd /contest/outbox; ${trap(alarm)}${closed}; ${score}`, silent: `cd /contest/outbox; ${trap(alarm)}` },
      { timeouts: { participant: '3s' }, outputs: { required: ['answer.txt'] } },
    )
    const ran = await paddock(stage, ['contest', 'run', contest])
    expect(ran.code, ran.stderr).toBe(0)
    const { ranking, notRanked, judges } = summaryOf(contest)
    expect([ranking.map((each) => each.name), notRanked.map((each) => each.outcome?.kind)]).toEqual([
      ['delivers'],
      ['incomplete', 'out-of-time'],
    ])
    expect(judges.map((each) => each.state)).toEqual(['scored', 'failed'])
    expect(liveIn(contest)).toEqual([])
    expect(existsSync(alarm)).toBe(false)
    // The attempt's own file is still in place, and the quarantined files are named.
    expect(readFileSync(path.join(contest, 'rounds/1/delivers/attempts/1/out/answer.txt'), 'utf8')).toBe('done\n')
    expect(ran.stderr).toMatch(/delivers left .*\.git/)
  },
)

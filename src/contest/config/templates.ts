/** Returns the contest.yaml that `contest new` writes. With `hasStart`, participants start with start/. */
export function contestTemplate(name: string, hasStart = false): string {
  const start = `
# What participants begin with in out/: a copy of the project. project.json says what was copied.
start: start
`
  return `# A contest: BRIEF.md goes to every participant, each in a cell of its own; judges score what they hand in,
# without knowing whose it is. Run it with: paddock contest run .
# Where all keys are described: paddock contest --help
schemaVersion: 1
name: ${name}
# description: One line for the report.
${hasStart ? start : ''}
participants:
  - name: claude
    agent: claude            # claude, codex, gemini, opencode, grok, command, or acp
    # model: the agent's own word for a model
    # limits: { timeout: 30m, memory: 4GiB }
    # egress: { policy: allowlist, presets: [npm, github], allow: ["example.com:443"] }
    # env: [ANTHROPIC_API_KEY]
  - name: codex
    agent: codex

judges:
  - name: gemini
    agent: gemini

judging:
  policy: distinct-family    # no judge of a participant's family; or warn, or allow-self

rubric:
  scale: { min: 0, max: 10 }
  dimensions:
    - id: correctness
      weight: 3
      description: Does it do what the brief asks for, also at the edges?
    - id: clarity
      weight: 1
      description: Can a stranger read it and change it?

# Each check runs the submission in a cell without network, and decides in another one on what it left in /result; exit code 0 passes.
# files is seen as /check only by verify: a place for what is right. inputs is seen as /inputs.
checks: []
#  - name: tests
#    run: ./program < /inputs/case.txt > /result/answer.txt
#    verify: cmp /result/answer.txt /check/answer.txt
#    inputs: inputs
#    files: checks
#    timeout: 60s
# oracle: oracle             # a directory with a right answer, which "paddock contest lint --try" has the checks pass

outputs:
  required: []               # paths or globs that a submission must have, such as "src/*.ts"

timeouts:
  participant: 30m
  judge: 15m
`
}

export const briefTemplate = `# The task

Say what is to be made, what it gets as input, and how one can tell that it is right.

Material that is needed goes into raw/; the participants find it in /contest/raw.
`

export const projectBriefTemplate = `# The task

Your working directory is a copy of a project. Say what is to be changed in it, and how one can tell that it is right.

Leave everything else as it is. Material that is not part of the project goes into raw/; the participants find it in /contest/raw.
`

export const judgeBriefTemplate = `# For the judges

Say what matters most, what to look for, and what a bad answer looks like. Participants never see this.
`

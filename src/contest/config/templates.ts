/** Returns the contest.yaml that `contest new` writes. With `hasStart`, participants start with start/. */
export function contestTemplate(name: string, hasStart = false): string {
  const start = `
# The files that participants start with in out/: a copy of the project. project.json lists what was copied.
start: start
`
  return `# A contest: every participant gets BRIEF.md and works in a separate cell. Judges score the submissions without
# knowing the authors. To run it: paddock contest run .
# All keys are in a file whose path is the last line of "paddock contest --help".
schemaVersion: 1
name: ${name}
# description: One line for the report.
${hasStart ? start : ''}
participants:
  - name: claude
    agent: claude            # claude, codex, gemini, opencode, grok, command, or acp
    # model: the model, as the agent names it
    # limits: { timeout: 30m, memory: 4GiB }
    # egress: { policy: allowlist, presets: [npm, github], allow: ["example.com:443"] }
    # env: [ANTHROPIC_API_KEY]
  - name: codex
    agent: codex

judges:
  - name: gemini
    agent: gemini
  # Only with at least three judges does the report say how certain the order is. Each scores every submission, which costs.
  # - name: grok
  #   agent: grok
  # - name: other
  #   agent: opencode
  #   model: PROVIDER/MODEL  # of a vendor that no participant has

judging:
  policy: distinct-family    # no judge of a participant's family; or: warn, allow-self

rubric:
  scale: { min: 0, max: 10 }
  dimensions:
    - id: correctness
      weight: 3
      description: Does it do what the brief asks for, including edge cases?
    - id: clarity
      weight: 1
      description: Can another developer read and change it?

# Each check runs the submission in a cell without network. In a second cell, verify decides on the files that it left in /result;
# exit code 0 passes. Only verify sees the directory files, as /check: a place for answers. Both see the directory inputs, as /inputs.
checks: []
#  - name: tests
#    run: ./program < /inputs/case.txt > /result/answer.txt
#    verify: cmp /result/answer.txt /check/answer.txt
#    inputs: inputs
#    files: checks
#    timeout: 60s
# oracle: oracle             # a directory with a correct solution, on which "paddock contest lint --try" runs the checks

outputs:
  required: []               # paths or globs that a submission must contain, such as "src/*.ts"

timeouts:
  participant: 30m
  judge: 15m
`
}

export const briefTemplate = `# The task

Describe what to make, what input it gets, and how to tell that it is correct.

Put material into raw/. Participants find it in /contest/raw.
`

export const projectBriefTemplate = `# The task

Your working directory is a copy of a project. Describe what to change in it, and how to tell that it is correct.

Leave everything else as it is. Put material that is not part of the project into raw/. Participants find it in /contest/raw.
`

export const judgeBriefTemplate = `# For the judges

Describe what matters most, what to look for, and what makes an answer bad. Participants never see this.
`

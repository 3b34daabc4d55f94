/** The brief.yaml of the brief that `suite new` writes. */
export const briefYamlTemplate = `schemaVersion: 1
# tags: [python, parser]       # words that group briefs in the results
checks:                        # docs/guide/contest-files.md explains them
  - name: right
    run: cp answer.txt /result/
    verify: grep -qx 42 /result/answer.txt
`

/** Returns the content of the suite.yaml that `suite new` and `suite import` write. */
export function suiteTemplate(name: string): string {
  return `# A suite: each brief is a separate contest, and one report covers them all. To run it: paddock suite run .
schemaVersion: 1
name: ${name}
briefs: [briefs/*]
repeats: 1

contest:
  participants:
    - name: claude
      agent: claude            # claude, codex, gemini, opencode, grok, or command
    - name: codex
      agent: codex
  ranking: checks

# budget: { money: 20, tokens: 5000000, wall: 6h }
# parallel: 8
# vendorCells: 3               # the maximum of these with a model of one vendor
`
}

/** What is wrong with a manifest, as the server says it: `line 4: limits.memory must be a size`. */
export interface ManifestProblem {
  readonly line: number | null
  /** The key; empty: of none. */
  readonly key: string
  readonly text: string
}

export function problemsIn(message: string): readonly ManifestProblem[] {
  return message.split('\n').map((each) => {
    const [, line, rest = each] = /^line (\d+): (.*)$/.exec(each) ?? []
    const [, key = ''] = /^([a-z]\w*(?:\.\w+|\[\d+\])*) (?=\S)/.exec(rest) ?? []
    return { line: line === undefined ? null : Number(line), key: line === undefined ? '' : key, text: rest }
  })
}

/** The problem of a key, or of what is in it. */
export function problemAt(problems: readonly ManifestProblem[], key: string): string | null {
  const found = problems.find((each) => each.key === key || each.key.startsWith(`${key}.`) || each.key.startsWith(`${key}[`))
  return found?.text ?? null
}

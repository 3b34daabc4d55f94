/** A problem of a manifest, parsed from the server's message: `line 4: limits.memory must be a size`. */
export interface ManifestProblem {
  readonly line: number | null
  /** The key that the problem concerns, or an empty string. */
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

/** Returns the problem of a key, or of a key in its value. */
export function problemAt(problems: readonly ManifestProblem[], key: string): string | null {
  const found = problems.find((each) => each.key === key || each.key.startsWith(`${key}.`) || each.key.startsWith(`${key}[`))
  return found?.text ?? null
}

/** Labels that are also English words. A judge that writes "A good idea" does not refer to a submission. */
const words = new Set(['A', 'I'])
const joints = String.raw`\s*(?:,|/|&|<|>|=|and|or|vs\.?|versus|than|over|to|as)\s*`

/**
 * Returns a judge's text with the participant's name after each label in it: `B is faster than A` becomes
 * `B [nice] is faster than A [evil]`. Without the names, texts of different judges could not be compared, because each judge has its own
 * labels. A and I count as labels only next to a word or a sign that marks them as labels.
 * @param labels the judge's labels: label → participant
 */
export function withNamedLabels(text: string, labels: Readonly<Record<string, string>>): string {
  const all = Object.keys(labels)
  if (all.length === 0) return text
  const any = `(?:${all.join('|')})`
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_-])(${any})(?![\p{L}\p{N}_-])`, 'gu')
  const before = new RegExp(
    String.raw`(?:\b(?:submission|label|candidate|entry|solution|participant)s?\s+|[*_\x60"'(\[]|(?<![\p{L}\p{N}_-])${any}${joints})$`,
    'iu',
  )
  const after = new RegExp(String.raw`^(?:$|['’]s\b|[.,;:!?*_\x60")\]]|${joints}${any}(?![\p{L}\p{N}_-]))`, 'u')
  return text.replace(pattern, (label: string, _: string, at: number) => {
    const isLabel = !words.has(label) || before.test(text.slice(Math.max(0, at - 40), at)) || after.test(text.slice(at + label.length))
    return isLabel ? `${label} [${labels[label]}]` : label
  })
}

/**
 * Returns, for each p-value in the order given, whether it is significant when all of them are tested together (Holm, Scandinavian Journal
 * of Statistics 6, 1979).
 */
export function holm(values: readonly number[], level = 0.05): boolean[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 1) - (values[b] ?? 1))
  const result = values.map(() => false)
  for (const [place, index] of order.entries()) {
    if ((values[index] ?? 1) > level / (values.length - place)) break
    result[index] = true
  }
  return result
}

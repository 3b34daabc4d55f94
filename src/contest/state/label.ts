/** Returns the label at an index: A, B, … Z, AA, AB, … */
export function labelAt(index: number): string {
  let label = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) label = String.fromCharCode(65 + ((rest - 1) % 26)) + label
  return label
}

export type KeyPath = readonly (string | number)[]

export function keyText(path: KeyPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

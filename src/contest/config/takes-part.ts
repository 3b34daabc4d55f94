import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'

/** Throws NOT_FOUND, with the nearest name, unless `name` is a participant. */
export function mustTakePart(name: string, names: readonly string[], place: string): void {
  if (names.includes(name)) return
  const near = nearest(name, names)
  throw new PaddockError('NOT_FOUND', `${place} ${name}: this contest has no participant of that name.`, {
    hint: near === null ? `The names are ${names.join(', ')}` : `Did you mean ${near}?`,
  })
}

import * as z from 'zod'
import { messageOf, PaddockError } from '../base/errors.ts'

/** Returns a schema for text in the form of a command line option. `what` names that form in the message if the text cannot be parsed. */
export const readBy = (what: string, read: (value: string, place: string) => unknown) =>
  z.string().superRefine((value, context) => {
    try {
      read(value, 'here')
    } catch (error) {
      const fix = error instanceof PaddockError && error.hint !== undefined ? ` ${error.hint}` : ''
      context.addIssue({ code: 'custom', message: `${messageOf(error).replace(/^here:? /, `is not a ${what}: `)}${fix}` })
    }
  })

import * as z from 'zod'
import { messageOf } from '../errors.ts'

/** Text in the form that an option of the command line takes. `what` names that form in the message if it cannot be read. */
export const readBy = (what: string, read: (value: string, place: string) => unknown) =>
  z.string().superRefine((value, context) => {
    try {
      read(value, 'here')
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error).replace(/^here:? /, `is not a ${what}: `) })
    }
  })

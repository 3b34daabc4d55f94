import * as z from 'zod'
import { egressShape, limitsSchema, plainText } from './request/request-schema.ts'

const isInProject = (value: string): boolean =>
  !/\p{Cc}/u.test(value) && value.split('/').every((each) => !['', '.', '..'].includes(each) && each.toLowerCase() !== '.git')

const directories = z
  .array(z.string().refine(isInProject, { error: 'must be the path of a directory in the project, such as node_modules' }))
  .min(1)
  .refine((all) => all.every((one, at) => all.every((other, index) => at === index || !`${one}/`.startsWith(`${other}/`))), {
    error: 'must not name a directory twice, or one that is in another',
  })

/** Returns the schema of `setup` for a file in which hosts have this form. */
export const setupSchema = (host: z.ZodType<string>) =>
  z
    .strictObject({
      command: z
        .array(plainText)
        .refine((words) => words[0] !== undefined && words[0] !== '', { error: 'must be a program and its arguments, such as [npm, ci]' })
        .describe('The program that makes the directories, and its arguments. It runs in a cell of its own, and sees only `files`.'),
      keep: directories.describe('The directories that the command makes. Git must not track them.'),
      files: z
        .array(
          z.string().refine((value) => isInProject(value) && !value.includes('**'), {
            error: 'must be the path of a file in the project, with * for a part of a name',
          }),
        )
        .min(1)
        .optional()
        .describe('The files that the command reads, by default manifests and lock files at the root. A change runs it again.'),
      egress: z
        .strictObject({ allow: z.array(host).optional().describe('Hosts: HOST[:PORT].'), presets: egressShape.presets })
        .optional()
        .describe('What the command may reach; nothing by default.'),
      limits: limitsSchema.optional().describe('Limits of its cell. The timeout is 30 minutes by default.'),
    })
    .optional()
    .describe('A command that installs what new work trees, copies and attempts of contests need.')

/** The parsed form of `setup`. */
export type SetupConfig = NonNullable<z.output<ReturnType<typeof setupSchema>>>
